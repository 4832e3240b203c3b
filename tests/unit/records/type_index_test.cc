// Indexes of SQLite have a number of each row's type (base/short_number.h): it is the same there and in the program.
#include "engine/base/short_number.h"
#include "engine/query/emit_sql.h"
#include "engine/records/schema.h"
#include "engine/storage/migrate.h"
#include "tests/support/plan_builder.h"
#include "tests/support/typed_catalog.h"
#include "tests/unit/storage/support.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace callisto;
using namespace callisto::test;

TEST_CASE("groups of a type come from its own index, where that has them in order") {
  auto entities = with_document_indexes({{"Rank", "Due"}, {"Due", "Rank"}});
  for (auto& each : entities)
    if (each.name == "report") each.indexes = {{{"Rank", "Size"}, {}, {}, {}, {}}};
  const auto catalog = typed_catalog(std::move(entities));
  const auto database = storage::open_database("sqlite::memory:");
  storage::must(storage::apply(*database, {}, records::tables_of(*catalog), DateTime{0}));
  const auto reader = storage::must(database->connect_reader());
  const auto plan_of = [&](const char* entity, const char* grouped) {
    PlanBuilder page(catalog, entity);
    page.plan.grouping.emplace();
    page.plan.columns = {page.path(grouped)};
    page.plan.grouping->order = {{0, false}};
    return storage::must(reader->explain(query::emit_rows(page.plan, {}, query::Dialect::Sqlite).sql,
                                         {Value(std::int64_t(9)), Value(std::int64_t(0))}))
        .front();
  };
  CHECK_THAT(plan_of("report", "Rank"), Catch::Contains("cx_document_Rank_Size"));
  CHECK_THAT(plan_of("document", "Rank"), Catch::Contains("cx_document_Rank_Due"));
  CHECK_THAT(plan_of("report", "Due"), Catch::Contains("cx_document_Due_Rank"));
}

TEST_CASE("an index of all types finds the rows of each, also of those with one number") {
  const std::vector<std::string> types{"document", "report", "rescue", "memo", "a", "x-y", "no-4"};
  auto entities = with_document_indexes({{"Rank", "Due"}});
  for (std::size_t i = 2; i < types.size(); ++i) {
    auto type = entity(types[i], {});
    type.extends = "document";
    entities.push_back(std::move(type));
  }
  const auto catalog = typed_catalog(std::move(entities));
  REQUIRE(short_number("rescue") == short_number("report"));
  const auto database = storage::open_database("sqlite::memory:");
  storage::must(storage::apply(*database, {}, records::tables_of(*catalog), DateTime{0}));
  storage::must(database->write([&](storage::Connection& connection) -> Result<void> {
    for (std::int64_t i = 0; i < 700; ++i)
      CALLISTO_CHECK(connection.execute(Sql(R"(INSERT INTO "document" ("Ref", "RecordType", "Rank", "IsDeleted") )"
                                            "VALUES (?1, ?2, 1, 0)"),
                                        {Value(i), Value(types[static_cast<std::size_t>(i) % types.size()])}));
    return {};
  }));
  const auto reader = storage::must(database->connect_reader());
  for (const std::string& type : types) {
    INFO(type);
    const Sql asked = Sql("SELECT count(*) FROM \"document\" WHERE \"RecordType\" = ?1 AND ")
                      << short_number(Sql("\"RecordType\"")) << " = ?2";
    const std::vector<Value> values{Value(type), Value(std::int64_t(short_number(type)))};
    CHECK(storage::number(*reader, asked, values) == 100);
    if (type == "document") continue;
    PlanBuilder page(catalog, type);
    page.plan.filter = compare(page.path("Rank"), query::CompareOp::Equal, page.whole(1));
    const Sql count = query::emit_count(page.plan, {}, query::Dialect::Sqlite).sql;
    CHECK(storage::number(*reader, count, {Value(std::int64_t(1))}) == 100);
    CHECK_THAT(storage::must(reader->explain(count, {Value(std::int64_t(1))})).front(),
               Catch::Contains("cx_document_Rank_Due"));
  }
}
