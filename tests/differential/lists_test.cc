// Any and Count over lists below a record (decision 0039): the same in memory and on every database, whatever the
// session sees.
#include "engine/base/datetime.h"
#include "engine/query/bind.h"
#include "tests/differential/generator.h"
#include "tests/differential/world.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace callisto;
using namespace callisto::test;
using query::Plan;

namespace {

using Rows = std::vector<std::vector<Value>>;

constexpr std::int64_t every_row = 2147483647;
const std::vector<Partitions> sessions{std::nullopt, std::vector<std::int64_t>{}, std::vector<std::int64_t>{2},
                                       std::vector<std::int64_t>{1, 3}};
constexpr const char* entity_names[] = {"document", "report", "person"};

// Rows that hang on their document, rows that merely name a document or a person, and a list of its own entity.
std::shared_ptr<const catalog::Catalog> with_lists() {
  auto entities = typed_entities();
  for (auto& each : entities) {
    if (each.name == "document")
      each.sub_resources = {{"notes", "note", "DocumentId", "", {}}, {"replies", "document", "Previous", "", {}}};
    if (each.name == "person")
      each.sub_resources = {{"written", "document", "Author", "", {}}, {"team", "person", "Manager", "", {}}};
  }
  return typed_catalog(std::move(entities));
}

Rows expected(const World& world, const Plan& plan, const Partitions& partitions) {
  Rows keys;
  for (const Row* row : world.visible(*plan.entity, partitions)) {
    if (row->value(*row->type->find_property("IsDeleted")) == Value(true)) continue;
    if (evaluate(*plan.filter, constants(plan), WorldReader(world, {row}, partitions)))
      keys.push_back({row->value(*plan.entity->key.front())});
  }
  return keys;
}

class Dates final : public query::ConstantFolder {
 public:
  Result<Value> call(const catalog::Augmenter&, const std::vector<Value>& arguments) override {
    const auto date = parse_iso8601(std::get<std::string>(arguments.front()));
    if (!date) return bad_format("no date");
    return Value(*date);
  }
};

}  // namespace

TEST_CASE("what is asked of the lists below a record is the same in SQL and in memory, and in its text") {
  World world(21, with_lists());
  Random random(22);
  Dates folder;
  query::Limits limits;
  limits.relations = 500;
  std::size_t some = 0;
  for (int i = 0; i < 2000; ++i) {
    const Partitions& partitions = sessions[below(random, sessions.size())];
    PlanBuilder builder(world.catalog, entity_names[below(random, std::size(entity_names))]);
    Plan& plan = builder.plan;
    plan.top = every_row;
    const bool speakable = chance(random, 40);
    plan.filter = Generator(random, builder, speakable).predicate(static_cast<int>(below(random, 3)));
    const Rows wanted = expected(world, plan, partitions);
    some += wanted.empty() ? 0 : 1;
    if (world.rows(plan, constants(plan), partitions) != wanted)
      FAIL(emit_rows(plan, scope_of(partitions), query::Dialect::Sqlite).sql.text());
    if (!speakable) continue;
    query::Options options;
    options.filter = spoken(*plan.filter, plan);
    INFO(*options.filter);
    const auto bound = bind_search(world.catalog, *plan.entity, options, limits, folder);
    if (!bound) FAIL(bound.error().message);
    REQUIRE(expected(world, **bound, partitions) == wanted);
  }
  CHECK(some > 500);
}
