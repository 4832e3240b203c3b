#include "engine/base/text.h"
#include "engine/query/bind/binder.h"
#include "engine/query/index_terms.h"
#include "engine/query/parse/parse.h"

#include <algorithm>
#include <utility>

namespace callisto::query {

namespace {

// A path that sorts already decides all that a second key on it could.
void add_key(Plan& plan, Path path, bool descending) {
  const bool there =
      std::any_of(plan.order.begin(), plan.order.end(), [&path](const SortKey& key) { return key.path == path; });
  if (!there) plan.order.push_back({std::move(path), descending});
}

}  // namespace

Result<void> bind_orderby(Draft& draft, const Source& source) {
  CALLISTO_TRY(const std::vector<OrderItem> items, parse_orderby(source, draft.limits));
  for (const OrderItem& item : items) {
    CALLISTO_TRY(Named named, draft.names.resolve(item.path, source, Use::Sort));
    const Segment& last = item.path.segments.back();
    if (named.property->type == catalog::DataType::Binary)
      return source.refused(last.at, last.name, text::quoted(last.name) + " is Binary, which has no order");
    add_key(draft.plan, std::move(named.path), item.descending);
  }
  return {};
}

// What the filter asks to have one value is in no order: that it is sorted by, or what it leads to.
void drop_fixed_keys(Plan& plan) {
  const auto terms = terms_of(plan);
  std::erase_if(plan.order, [&](const SortKey& key) {
    const Path& path = key.path;
    const catalog::Property* own = path.hops.empty() ? path.property : path.hops.front();
    return path.source == 0 && std::any_of(terms.begin(), terms.end(), [&](const Predicate* term) {
             const catalog::Property* fixed = equal_property(*term);
             return fixed && same_column(fixed, own);
           });
  });
}

void add_total_order(Plan& plan) {
  for (const catalog::Property* part : plan.entity->key) add_key(plan, Path{0, {}, part}, false);
  for (std::size_t i = 0; i < plan.joins.size(); ++i)
    for (const catalog::Property* part : plan.joins[i].target->key) add_key(plan, Path{i + 1, {}, part}, false);
}

void keep_order(Plan& plan) {
  plan.looks_ahead = true;
  for (const SortKey& key : plan.order) plan.order_columns.push_back(column_of(plan, key.path));
}

namespace {

bool fits(const Value& value, catalog::DataType type) {
  if (is_null(value)) return true;
  if (type == catalog::DataType::DateTime) return std::holds_alternative<DateTime>(value);
  if (type == catalog::DataType::Decimal) return std::holds_alternative<Decimal>(value);
  switch (catalog::traits(type).kept) {
    case catalog::Kept::Flag:
      return std::holds_alternative<bool>(value);
    case catalog::Kept::Real:
      return std::holds_alternative<double>(value);
    case catalog::Kept::Text:
      return std::holds_alternative<std::string>(value);
    default:
      return std::holds_alternative<std::int64_t>(value);
  }
}

}  // namespace

// The desk's definitions may have changed since the page before was read.
Result<void> bind_position(Plan& plan, const std::vector<Value>& position) {
  if (position.empty()) return {};
  bool is_fitting = position.size() == plan.order.size();
  for (std::size_t i = 0; is_fitting && i < position.size(); ++i) {
    const catalog::Property& property = *plan.order[i].path.property;
    is_fitting = fits(position[i], property.type);
    Constant constant;
    constant.value = position[i];
    constant.type = property.type;
    if (property.type == catalog::DataType::Decimal) constant.scale = property.scale;
    plan.after.push_back({plan.constants.size()});
    plan.constants.push_back(std::move(constant));
  }
  if (is_fitting) return {};
  return bad_option("$after",
                    "$after: the properties that the rows are ordered by have changed since the link was "
                    "made; begin anew without $after");
}

// SQLite (3.40 at least) overlooks the tables of an order of 64 keys or more: it drops their left joins as useless and
// then crashes reading from them. A selected column keeps its table.
void keep_sorted_tables(Plan& plan) {
  constexpr std::size_t most_seen = 63;
  if (plan.order.size() <= most_seen) return;
  for (const SortKey& key : plan.order) column_of(plan, key.path);
}

}  // namespace callisto::query
