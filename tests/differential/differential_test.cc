#include "engine/base/datetime.h"
#include "engine/query/bind.h"
#include "tests/differential/generator.h"
#include "tests/differential/world.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::test;
using query::CompareOp;
using query::Dialect;
using query::Plan;

namespace {

using Rows = std::vector<std::vector<Value>>;

const std::vector<Partitions> sessions{std::nullopt, std::vector<std::int64_t>{}, std::vector<std::int64_t>{2},
                                       std::vector<std::int64_t>{1, 3}};
constexpr const char* entity_names[] = {"document", "document", "document", "report", "item", "tool", "person", "note"};
constexpr std::int64_t every_row = 2147483647;

template <typename T, std::size_t N>
const T& any_of(Random& random, const T (&choices)[N]) {
  return choices[below(random, N)];
}

bool is_deleted(const Row& row) { return row.value(*row.type->find_property("IsDeleted")) == Value(true); }

std::vector<Value> key_of(const catalog::Entity& entity, const Row* row) {
  std::vector<Value> key;
  for (const catalog::Property* part : entity.key) key.push_back(row ? row->value(*part) : Value(Null{}));
  return key;
}

// < 0, 0, > 0 as API rule 2.4 orders: null lowest, false before true, text by its folded code points.
int ordered(const Value& a, const Value& b) {
  if (is_null(a) || is_null(b)) return static_cast<int>(is_null(b)) - static_cast<int>(is_null(a));
  if (const auto* words = std::get_if<std::string>(&a)) return text::compare_folded(*words, std::get<std::string>(b));
  const auto less = [](const Value& x, const Value& y) {
    if (const auto* decimal = std::get_if<Decimal>(&x)) return decimal->digits < std::get<Decimal>(y).digits;
    if (const auto* time = std::get_if<DateTime>(&x)) return *time < std::get<DateTime>(y);
    if (const auto* real = std::get_if<double>(&x)) return *real < std::get<double>(y);
    if (const auto* flag = std::get_if<bool>(&x)) return *flag < std::get<bool>(y);
    return std::get<std::int64_t>(x) < std::get<std::int64_t>(y);
  };
  return less(a, b) ? -1 : less(b, a) ? 1 : 0;
}

// The searched rows for which the plan's filter holds in memory, by key, in whose order the world made them.
std::vector<const Row*> expected(const World& world, const Plan& plan, const Partitions& partitions) {
  std::vector<const Row*> rows;
  for (const Row* row : world.visible(*plan.entity, partitions)) {
    if (is_deleted(*row) && !plan.names_deleted) continue;
    if (!plan.filter || evaluate(*plan.filter, constants(plan), WorldReader(world, {row}, partitions)))
      rows.push_back(row);
  }
  return rows;
}

Rows keys_of(const Plan& plan, const std::vector<const Row*>& rows) {
  Rows keys;
  for (const Row* row : rows) keys.push_back(key_of(*plan.entity, row));
  return keys;
}

Rows selected(World& world, const Plan& plan, const Partitions& partitions) {
  return world.rows(plan, constants(plan), partitions);
}

void expect_rows(const Plan& plan, const Partitions& partitions, const Rows& found, const Rows& wanted) {
  if (found != wanted) FAIL(emit_rows(plan, scope_of(partitions), Dialect::Sqlite).sql.text());
}

// @DateTime, the one function of the catalog.
class Dates final : public query::ConstantFolder {
 public:
  Result<Value> call(const catalog::Augmenter&, const std::vector<Value>& arguments) override {
    const auto* words = arguments.empty() ? nullptr : std::get_if<std::string>(&arguments.front());
    const auto date = words ? parse_iso8601(*words) : std::nullopt;
    if (!date) return bad_format("no date");
    return Value(*date);
  }
};

}  // namespace

namespace callisto {
bool operator<(const Null&, const Null&) { return false; }
bool operator<(const Decimal& a, const Decimal& b) { return a.digits < b.digits; }
bool operator<(const Binary& a, const Binary& b) { return a.bytes < b.bytes; }
}  // namespace callisto

TEST_CASE("SQL selects exactly the rows for which a predicate holds, and its opposite the others") {
  World world(1);
  Random random(2);
  for (int i = 0; i < 10000; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, any_of(random, entity_names));
    builder.plan.top = every_row;
    builder.plan.names_deleted = chance(random, 30);
    const auto everything = expected(world, builder.plan, partitions);
    builder.plan.filter = Generator(random, builder, false).predicate(static_cast<int>(below(random, 5)));
    const auto rows = expected(world, builder.plan, partitions);
    const auto found = selected(world, builder.plan, partitions);
    expect_rows(builder.plan, partitions, found, keys_of(builder.plan, rows));
    builder.plan.filter = opposite(*std::move(builder.plan.filter));
    auto others = selected(world, builder.plan, partitions);
    REQUIRE(others.size() + found.size() == everything.size());
    others.insert(others.end(), found.begin(), found.end());
    std::sort(others.begin(), others.end());
    REQUIRE(others == keys_of(builder.plan, everything));
    REQUIRE(world.count(builder.plan, constants(builder.plan), partitions) ==
            static_cast<std::int64_t>(everything.size() - found.size()));
  }
  CHECK(world.narrowed() > 50);
}

TEST_CASE("the text of a filter means what its predicate means") {
  World world(3);
  Random random(4);
  Dates folder;
  query::Limits limits;
  limits.relations = 500;
  int bound = 0;
  while (bound < 2000) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, any_of(random, entity_names));
    builder.plan.filter = Generator(random, builder, true).predicate(static_cast<int>(below(random, 4)));
    query::Options options;
    options.filter = spoken(*builder.plan.filter, builder.plan);
    if (options.filter->size() > limits.filter_bytes) continue;
    options.top = every_row;
    INFO(*options.filter);
    auto plan = bind_search(world.catalog, *builder.plan.entity, options, limits, folder);
    if (!plan) FAIL(plan.error().message);
    ++bound;
    const Rows wanted = keys_of(builder.plan, expected(world, builder.plan, partitions));
    REQUIRE(keys_of(**plan, expected(world, **plan, partitions)) == wanted);
    Plan by_key = **plan;
    by_key.columns = builder.plan.columns;
    REQUIRE(selected(world, by_key, partitions) == wanted);
  }
}

TEST_CASE("an order is the same in SQL and in memory, page by page, with all that is selected") {
  World world(5);
  Random random(6);
  for (int i = 0; i < 1500; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, any_of(random, entity_names));
    Plan& plan = builder.plan;
    Generator generator(random, builder, false);
    for (std::size_t keys = below(random, 4); keys > 0; --keys)
      plan.order.insert(plan.order.begin(), {generator.any_path(3), chance(random, 50)});
    for (std::size_t columns = below(random, 4); columns > 0; --columns) plan.columns.push_back(generator.any_path(3));
    if (chance(random, 50)) plan.filter = generator.predicate(1);
    plan.skip = chance(random, 50) ? 0 : static_cast<std::int64_t>(below(random, 20));
    if (chance(random, 50)) plan.top = static_cast<std::int64_t>(1 + below(random, 20));
    auto rows = expected(world, plan, partitions);
    std::stable_sort(rows.begin(), rows.end(), [&](const Row* a, const Row* b) {
      for (const query::SortKey& key : plan.order) {
        const int order = ordered(WorldReader(world, {a}, partitions).read(key.path),
                                  WorldReader(world, {b}, partitions).read(key.path));
        if (order != 0) return key.descending ? order > 0 : order < 0;
      }
      return false;
    });
    const auto first = std::min(rows.size(), static_cast<std::size_t>(plan.skip));
    const auto size = std::min(rows.size() - first, static_cast<std::size_t>(plan.top.value_or(100)));
    Rows page;
    for (std::size_t n = first; n < first + size; ++n) {
      page.emplace_back();
      for (const query::Path& path : plan.columns)
        page.back().push_back(WorldReader(world, {rows[n]}, partitions).read(path));
    }
    expect_rows(plan, partitions, selected(world, plan, partitions), page);
  }
}

TEST_CASE("explicit joins give what nested loops give") {
  World world(7);
  Random random(8);
  for (int i = 0; i < 1500; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, "document");
    Plan& plan = builder.plan;
    plan.top = every_row;
    const catalog::Entity& target = world.entity(chance(random, 50)   ? "note"
                                                 : chance(random, 50) ? "person"
                                                                      : "report");
    query::Join join{"Other", &target, chance(random, 50), {}};
    Generator sources(random, builder, false);
    for (std::size_t pairs = 1 + below(random, 2); pairs > 0; --pairs) {
      const catalog::Property* property = target.properties[below(random, target.properties.size())];
      if (property->type == catalog::DataType::Binary) property = target.key.front();
      const auto alike = [&](const catalog::Property& other) {
        return property->type == other.type && property->target == other.target;
      };
      join.on.push_back({property, sources.path(alike, 2)});
    }
    plan.joins.push_back(join);
    for (const catalog::Property* part : target.key) {
      plan.columns.push_back({1, {}, part});
      plan.order.push_back({{1, {}, part}, false});
    }
    if (chance(random, 70)) plan.filter = Generator(random, builder, false).predicate(2);

    Rows wanted;
    const auto add = [&](const Row* row, const Row* other) {
      const WorldReader reader(world, {row, other}, partitions);
      if (plan.filter && !evaluate(*plan.filter, constants(plan), reader)) return;
      wanted.push_back(key_of(*plan.entity, row));
      for (Value& value : key_of(target, other)) wanted.back().push_back(std::move(value));
    };
    for (const Row* row : world.visible(*plan.entity, partitions)) {
      if (is_deleted(*row)) continue;
      bool found = false;
      for (const Row* other : world.visible(target, partitions)) {
        const WorldReader reader(world, {row, other}, partitions);
        const bool matches = std::all_of(join.on.begin(), join.on.end(), [&](const query::JoinOn& pair) {
          const query::Path own{1, {}, pair.target_property};
          return !is_null(reader.read(own)) &&
                 evaluate(compare(own, CompareOp::Equal, pair.source), std::vector<Value>(), reader);
        });
        if (!matches || is_deleted(*other)) continue;
        found = true;
        add(row, other);
      }
      if (!found && !join.inner) add(row, nullptr);
    }
    std::sort(wanted.begin(), wanted.end());
    expect_rows(plan, partitions, selected(world, plan, partitions), wanted);
    REQUIRE(world.count(plan, constants(plan), partitions) == static_cast<std::int64_t>(wanted.size()));
  }
}

TEST_CASE("predicates as deep and as long as $filter allows stay within what the databases' parsers take") {
  World world(9, typed_catalog());
  PlanBuilder builder(world.catalog, "document");
  const auto far = compare(builder.path("Previous.Previous.Previous.Previous.Author.City.Region.Name"),
                           CompareOp::NotEqual, builder.words("a"));
  query::Predicate deep = far;
  for (int level = 0; level < 24; ++level) deep = any({far, all({far, std::move(deep)})});
  builder.plan.filter = all({deep, far});
  CHECK(selected(world, builder.plan, sessions.back()).size() ==
        std::min<std::size_t>(100, expected(world, builder.plan, sessions.back()).size()));
  builder.plan.filter = any(std::vector<query::Predicate>(3000, far));
  CHECK(selected(world, builder.plan, sessions.back()).size() ==
        std::min<std::size_t>(100, expected(world, builder.plan, sessions.back()).size()));
}
