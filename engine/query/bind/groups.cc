// $groupby and $aggregate (decision 0049).
#include "engine/base/text.h"
#include "engine/query/bind/binder.h"
#include "engine/query/bind_types.h"
#include "engine/query/parse/parse.h"

#include <algorithm>
#include <string>
#include <utility>

namespace callisto::query {

namespace {

using catalog::DataType;
using catalog::Property;
using Kind = Aggregate::Kind;

constexpr std::string_view number_of_rows = "__count";

// What an aggregate of a property is shown as; nothing where the property has no such aggregate.
std::optional<Property> result_of(Kind kind, const Property& of) {
  const Family values = family(of.type);
  Property shown;
  switch (kind) {
    case Kind::Count:
      shown.type = DataType::Long;
      return shown;
    case Kind::Sum:
      if (values != Family::Number) return std::nullopt;
      shown.type = catalog::is_whole(of.type) ? DataType::Long : of.type;
      shown.scale = of.scale;
      return shown;
    case Kind::Avg:
      if (values != Family::Number) return std::nullopt;
      shown.type = DataType::Double;
      return shown;
    default:
      if (!has_order(values) && values != Family::Text) return std::nullopt;
      return of;
  }
}

const char* taken_by(Kind kind) {
  return kind == Kind::Sum || kind == Kind::Avg ? "a number" : "a number, a date or a text";
}

class GroupBinder {
 public:
  explicit GroupBinder(Draft& draft) : draft_(draft), plan_(draft.plan), grouping_(plan_.grouping.emplace()) {}

  void add_number() {
    Property number;
    number.name = number_of_rows;
    number.type = DataType::Long;
    grouping_.number = show(std::move(number), plan_.columns.size());
  }

  Result<void> add(const AggregateItem& item, const Source& source) {
    CALLISTO_TRY(Named named, draft_.names.resolve(item.path, source, Use::Sort));
    auto shown = result_of(item.kind, *named.property);
    const Segment& last = item.path.segments.back();
    if (!shown)
      return source.refused(last.at, last.name,
                            std::string(item.function.name) + " takes " + taken_by(item.kind) + ", and " +
                                text::quoted(last.name) + " is " + std::string(catalog::name(named.property->type)));
    CALLISTO_CHECK(check_free(item.name, source));
    shown->name = item.name.name;
    const std::size_t column = plan_.columns.size() + 1 + grouping_.aggregates.size();
    grouping_.aggregates.push_back({item.kind, std::move(named.path), show(*std::move(shown), column)});
    return {};
  }

  Result<void> order_by(const Source& source) {
    CALLISTO_TRY(const std::vector<OrderItem> items, parse_orderby(source, draft_.limits));
    for (const OrderItem& item : items) {
      CALLISTO_TRY(const std::size_t column, column_named(item.path, source));
      add_key(column, item.descending);
    }
    return {};
  }

  void add_total_order() {
    for (std::size_t column = 0; column < plan_.columns.size(); ++column) add_key(column, false);
  }

 private:
  std::shared_ptr<const Property> show(Property property, std::size_t column) {
    auto shown = std::make_shared<const Property>(std::move(property));
    ShapeNode node;
    node.name = shown->name;
    node.column = column;
    node.property = shown.get();
    plan_.shape.push_back(std::move(node));
    return shown;
  }

  const ShapeNode* find_shown(std::string_view name) const {
    const auto is_it = [name](const ShapeNode& node) { return node.name == name; };
    const auto found = std::find_if(plan_.shape.begin(), plan_.shape.end(), is_it);
    return found == plan_.shape.end() ? nullptr : &*found;
  }

  Result<void> check_free(const Segment& name, const Source& source) const {
    if (name.name.front() == '_')
      return source.refused(name.at, name.name, "names that begin with '_' are the server's own");
    if (find_shown(name.name))
      return source.refused(name.at, name.name, text::quoted(name.name) + " is shown already; take another name");
    return {};
  }

  // A name that the groups show, or a path that makes them.
  Result<std::size_t> column_named(const PathName& path, const Source& source) {
    const Segment& first = path.segments.front();
    const ShapeNode* shown = path.segments.size() == 1 ? find_shown(first.name) : nullptr;
    if (shown && shown->kind == ShapeNode::Kind::Value) return shown->column;
    const auto named = draft_.names.resolve(path, source, Use::Sort);
    if (named) {
      const auto found = std::find(plan_.columns.begin(), plan_.columns.end(), named->path);
      if (found != plan_.columns.end()) return static_cast<std::size_t>(found - plan_.columns.begin());
    }
    std::vector<std::string_view> names;
    for (const ShapeNode& node : plan_.shape)
      if (node.kind == ShapeNode::Kind::Value) names.push_back(node.name);
    return source.refused(first.at, first.name,
                          "groups have an order by what $groupby and $aggregate name, and by '__count'",
                          text::nearest(first.name, names), std::vector<std::string>(names.begin(), names.end()));
  }

  void add_key(std::size_t column, bool descending) {
    auto& order = grouping_.order;
    const bool there = std::any_of(order.begin(), order.end(), [&](const auto& key) { return key.column == column; });
    if (!there) order.push_back({column, descending});
  }

  Draft& draft_;
  Plan& plan_;
  Grouping& grouping_;
};

}  // namespace

Result<void> bind_groups(Draft& draft, const Options& options) {
  if (options.select)
    return bad_option("$select", "$select is no option of groups: $groupby and $aggregate name what they show");
  if (options.after) return bad_option("$after", "$after is no option of groups: take $skip");
  if (options.groupby) CALLISTO_CHECK(bind_groupby(draft, Source("$groupby", *options.groupby)));
  GroupBinder binder(draft);
  binder.add_number();
  if (options.aggregate) {
    const Source source("$aggregate", *options.aggregate);
    CALLISTO_TRY(const std::vector<AggregateItem> items, parse_aggregate(source, draft.limits));
    for (const AggregateItem& item : items) CALLISTO_CHECK(binder.add(item, source));
  }
  if (options.orderby) CALLISTO_CHECK(binder.order_by(Source("$orderby", *options.orderby)));
  binder.add_total_order();
  draft.plan.looks_ahead = options.pages;
  return {};
}

}  // namespace callisto::query
