// $groupby and $aggregate (decision 0049): the groups of random rows are the same in memory and on every database.
#include "engine/base/text.h"
#include "engine/query/bind.h"
#include "tests/differential/generator.h"
#include "tests/differential/world.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace callisto;
using namespace callisto::test;
using catalog::DataType;
using catalog::Property;
using query::Aggregate;
using query::Plan;

namespace {

using Cells = std::vector<Value>;

const std::vector<Partitions> sessions{std::nullopt, std::vector<std::int64_t>{}, std::vector<std::int64_t>{2},
                                       std::vector<std::int64_t>{1, 3}};
constexpr const char* entity_names[] = {"document", "report", "person", "item", "note"};

class NoFunctions final : public query::ConstantFolder {
 public:
  Result<Value> call(const catalog::Augmenter&, const Cells&) override { return bad_format("no function"); }
};

std::string dotted(const query::Path& path) {
  std::string text;
  for (const Property* hop : path.hops) text += hop->name + ".";
  return text + path.property->name;
}

// Texts as they compare, and flags as numbers.
Value comparable(const Value& value) {
  if (const auto* words = std::get_if<std::string>(&value)) return text::fold(*words);
  if (const auto* flag = std::get_if<bool>(&value)) return std::int64_t{*flag};
  return value;
}

std::partial_ordering order_of(const Value& a, const Value& b) {
  if (is_null(a) || is_null(b)) return !is_null(a) <=> !is_null(b);
  if (const auto* number = std::get_if<std::int64_t>(&a)) return *number <=> std::get<std::int64_t>(b);
  if (const auto* real = std::get_if<double>(&a)) return *real <=> std::get<double>(b);
  if (const auto* date = std::get_if<DateTime>(&a)) return date->ms <=> std::get<DateTime>(b).ms;
  if (const auto* decimal = std::get_if<Decimal>(&a)) return decimal->digits <=> std::get<Decimal>(b).digits;
  return std::get<std::string>(a).compare(std::get<std::string>(b)) <=> 0;
}

std::int64_t digits_of(const Value& value) {
  const auto* decimal = std::get_if<Decimal>(&value);
  return decimal ? decimal->digits : std::get<std::int64_t>(value);
}

Value sum_of(const Cells& values, const Property& shown) {
  std::int64_t sum = 0;
  for (const Value& value : values) sum += digits_of(value);
  if (shown.type == DataType::Decimal) return Decimal{sum, shown.scale};
  return sum;
}

// `values`: of the rows of a group, without nulls.
Value come_to(const Aggregate& aggregate, const Cells& values) {
  if (aggregate.kind == Aggregate::Kind::Count) return static_cast<std::int64_t>(values.size());
  if (values.empty()) return Null{};
  if (aggregate.kind == Aggregate::Kind::Sum) return sum_of(values, *aggregate.shown);
  const auto [least, most] = std::minmax_element(values.begin(), values.end(),
                                                 [](const Value& a, const Value& b) { return order_of(a, b) < 0; });
  return aggregate.kind == Aggregate::Kind::Min ? *least : *most;
}

// The groups of these rows as the plan asks for them, all pages of them.
std::vector<Cells> expected(const World& world, const Plan& plan, const Partitions& partitions) {
  struct Group {
    Cells shown;
    std::int64_t number = 0;
    std::vector<Cells> values;
  };
  std::vector<std::pair<Cells, Group>> groups;
  for (const Row* row : world.visible(*plan.entity, partitions)) {
    const WorldReader reader(world, {row}, partitions);
    if (row->value(*row->type->find_property("IsDeleted")) == Value(true)) continue;
    if (plan.filter && !evaluate(*plan.filter, constants(plan), reader)) continue;
    Cells key, shown;
    for (const query::Path& path : plan.columns) {
      shown.push_back(reader.read(path));
      key.push_back(comparable(shown.back()));
    }
    auto found = std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return each.first == key; });
    if (found == groups.end()) found = groups.insert(found, {key, {shown, 0, {}}});
    Group& group = found->second;
    ++group.number;
    for (std::size_t i = 0; i < shown.size(); ++i)
      if (const auto* words = std::get_if<std::string>(&shown[i]))
        group.shown[i] = std::min(*words, std::get<std::string>(group.shown[i]));
    group.values.resize(plan.grouping->aggregates.size());
    for (std::size_t i = 0; i < group.values.size(); ++i) {
      Value value = reader.read(plan.grouping->aggregates[i].path);
      if (!is_null(value)) group.values[i].push_back(std::move(value));
    }
  }
  if (plan.columns.empty() && groups.empty())
    groups.push_back({{}, {{}, 0, std::vector<Cells>(plan.grouping->aggregates.size())}});
  std::vector<Cells> rows;
  for (auto& [key, group] : groups) {
    Cells row = group.shown;
    row.emplace_back(group.number);
    for (std::size_t i = 0; i < group.values.size(); ++i)
      row.push_back(come_to(plan.grouping->aggregates[i], group.values[i]));
    rows.push_back(std::move(row));
  }
  std::sort(rows.begin(), rows.end(), [&](const Cells& a, const Cells& b) {
    for (const auto& key : plan.grouping->order) {
      const auto order = order_of(comparable(a[key.column]), comparable(b[key.column]));
      if (order != 0) return key.descending ? order > 0 : order < 0;
    }
    return false;
  });
  return rows;
}

bool is_summed_safely(const World& world, const query::Path& path, const catalog::Entity& entity) {
  long double sum = 0;
  for (const Row* row : world.visible(entity, std::nullopt)) {
    const Value value = WorldReader(world, {row}, std::nullopt).read(path);
    if (!is_null(value)) sum += std::abs(static_cast<long double>(digits_of(value)));
  }
  return sum < 9e18L;
}

struct Asked {
  query::Options options;
  std::vector<std::string> names{"__count"};
};

Asked random_question(Random& random, PlanBuilder& builder, const World& world) {
  Asked asked;
  Generator generator(random, builder, true);
  const auto append = [](std::optional<std::string>& to, const std::string& item) {
    to = to ? *to + "," + item : item;
  };
  for (std::size_t i = below(random, 4); i > 0; --i) {
    const auto path = generator.path([](const Property& each) { return each.type != DataType::Binary; }, 2);
    asked.names.push_back("G" + std::to_string(i));
    append(asked.options.groupby, asked.names.back() + ":" + dotted(path));
  }
  for (std::size_t i = below(random, 4) + (asked.options.groupby ? 0 : 1); i > 0; --i) {
    const std::size_t function = below(random, 4);
    const auto fits = [&](const Property& each) {
      const bool is_number = catalog::is_whole(each.type) || each.type == DataType::Decimal;
      return function == 0 || is_number || (function > 1 && each.type == DataType::DateTime);
    };
    const auto path = generator.path(fits, 2);
    if (function == 1 && !is_summed_safely(world, path, *builder.plan.entity)) continue;
    static constexpr const char* names[] = {"count", "sum", "min", "max"};
    asked.names.push_back("A" + std::to_string(i));
    append(asked.options.aggregate, std::string(names[function]) + "(" + dotted(path) + ") as " + asked.names.back());
  }
  if (!asked.options.groupby && !asked.options.aggregate) asked.options.groupby = "Ref";
  for (std::size_t i = below(random, 3); i > 0; --i)
    append(asked.options.orderby, asked.names[below(random, asked.names.size())] + (chance(random, 50) ? " desc" : ""));
  return asked;
}

}  // namespace

TEST_CASE("groups and what their rows come to are the same in memory and on every database") {
  World world(31);
  Random random(32);
  NoFunctions folder;
  query::Limits limits;
  limits.relations = 500;
  std::size_t groups = 0;
  for (int i = 0; i < 1500; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, entity_names[below(random, std::size(entity_names))]);
    const Asked asked = random_question(random, builder, world);
    INFO(builder.plan.entity->name << " $groupby=" << asked.options.groupby.value_or("")
                                   << " $aggregate=" << asked.options.aggregate.value_or("")
                                   << " $orderby=" << asked.options.orderby.value_or(""));
    const auto bound = bind_search(world.catalog, *builder.plan.entity, asked.options, limits, folder);
    if (!bound) FAIL(bound.error().message);
    Plan plan = **bound;
    PlanBuilder of(world.catalog, plan.entity->name);
    if (chance(random, 60)) plan.filter = Generator(random, of, false).predicate(1);
    plan.constants = of.plan.constants;
    const auto wanted = expected(world, plan, partitions);
    groups += wanted.size();
    REQUIRE(world.count(plan, constants(plan), partitions) == static_cast<std::int64_t>(wanted.size()));
    plan.skip = static_cast<std::int64_t>(below(random, 3));
    plan.top = static_cast<std::int64_t>(1 + below(random, 20));
    const auto from = std::min(static_cast<std::size_t>(plan.skip), wanted.size());
    const auto end = std::min(from + static_cast<std::size_t>(*plan.top), wanted.size());
    const std::vector<Cells> page(wanted.begin() + static_cast<std::ptrdiff_t>(from),
                                  wanted.begin() + static_cast<std::ptrdiff_t>(end));
    REQUIRE(world.rows(plan, constants(plan), partitions) == page);
  }
  CHECK(groups > 10000);
  CHECK(world.counted() > 20);
}
