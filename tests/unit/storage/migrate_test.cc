#include "engine/storage/migrate.h"
#include "tests/unit/storage/support.h"

#include <set>

using namespace callisto;
using namespace callisto::storage;

namespace {

SqlIdentifier id(std::string_view name) { return SqlIdentifier::of(name); }

TableSpec ship() {
  return {id("ship"),
          {{id("Ref"), ColumnType::Whole}, {id("Name"), ColumnType::Text}},
          {id("Ref")},
          {{id("ix_ship_Name"), {{id("Name"), true}}, false}}};
}

TableSpec crew() {
  return {id("crew"),
          {{id("Ship"), ColumnType::Whole}, {id("Place"), ColumnType::Whole}, {id("Pay"), ColumnType::Real}},
          {id("Ship"), id("Place")},
          {}};
}

const std::vector<Migration> one_migration{
    {1, "0001_first.sql", "CREATE TABLE first (n BIGINT); INSERT INTO first VALUES (1);"}};
constexpr DateTime noon{1'700'000'000'000};

}  // namespace

TEST_CASE("migrating twice changes nothing the second time") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  auto first = must(apply(*database, one_migration, {ship(), crew()}, noon));
  CHECK(first.statements.size() == 5);  // schema_migration, the file, two tables, one index
  auto second = must(apply(*database, one_migration, {ship(), crew()}, noon));
  CHECK(second.statements.empty());
  CHECK(second.problems.empty());
  auto reader = must(database->connect_reader());
  CHECK(number(*reader, Sql("SELECT count(*) FROM first")) == 1);
  CHECK(texts(*reader, Sql("SELECT number || ' ' || name || ' ' || applied_at FROM schema_migration")) ==
        std::vector<std::string>{"1 0001_first.sql 1700000000000"});
}

TEST_CASE("the plan is what will be done and does nothing itself") {
  auto database = open_database("sqlite::memory:");
  auto reader = must(database->connect_reader());
  auto planned = must(plan(*reader, one_migration, {ship(), crew()}));
  CHECK(number(*reader, Sql("SELECT count(*) FROM sqlite_schema")) == 0);
  CHECK(must(apply(*database, one_migration, {ship(), crew()}, noon)).statements == planned.statements);
  CHECK(must(plan(*reader, one_migration, {ship(), crew()})).statements.empty());
  CHECK(planned.statements[2] == R"(CREATE TABLE "ship" ("Ref" INTEGER PRIMARY KEY, "Name" TEXT))");
  CHECK(planned.statements[3] == R"(CREATE INDEX "ix_ship_Name" ON "ship" ("Name" COLLATE folded))");
  CHECK(planned.statements[4] ==
        R"(CREATE TABLE "crew" ("Ship" BIGINT NOT NULL, "Place" BIGINT NOT NULL, "Pay" DOUBLE, )"
        R"(PRIMARY KEY ("Ship", "Place")))");
}

TEST_CASE("new columns and indexes are added, nothing is dropped") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  must(apply(*database, {}, {ship()}, noon));
  write_script(*database, "INSERT INTO ship VALUES (1, 'Argo')");
  TableSpec wider = ship();
  wider.columns.erase(wider.columns.begin() + 1);  // Name is no longer wanted
  wider.indexes.clear();
  wider.columns.push_back({id("Crew"), ColumnType::Whole});
  wider.indexes.push_back({id("ix_ship_Crew"), {{id("Crew"), false}}, true});
  auto done = must(apply(*database, {}, {wider}, noon));
  REQUIRE(done.statements.size() == 2);
  CHECK(done.statements[0] == R"(ALTER TABLE "ship" ADD COLUMN "Crew" BIGINT)");
  CHECK_THAT(done.statements[1], Catch::StartsWith(R"(CREATE UNIQUE INDEX "ix_ship_Crew" ON "ship" ("Crew")"));
  CHECK(texts(*must(database->connect_reader()), Sql("SELECT \"Name\" FROM ship WHERE \"Crew\" IS NULL")) ==
        std::vector<std::string>{"Argo"});
}

TEST_CASE("a column that is added may tell what the older rows are") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  must(apply(*database, {}, {ship()}, noon));
  write_script(*database, "INSERT INTO ship VALUES (1, 'Argo')");
  TableSpec typed = ship();
  typed.columns.push_back({id("Kind"), ColumnType::Text, "captain's"});
  must(apply(*database, {}, {typed}, noon));
  write_script(*database, "INSERT INTO ship (\"Ref\", \"Name\") VALUES (2, 'Beagle')");  // of a node that is older
  CHECK(texts(*must(database->connect_reader()), Sql("SELECT \"Kind\" FROM ship ORDER BY \"Ref\"")) ==
        std::vector<std::string>{"captain's", "captain's"});
  CHECK(must(apply(*database, {}, {typed}, noon)).statements.empty());
}

TEST_CASE("an index of what is set is not made where there is one of all rows, and says so itself") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  must(apply(*database, {}, {ship()}, noon));
  TableSpec both = ship();
  both.columns.push_back({id("Crew"), ColumnType::Whole});
  IndexSpec of_names{id("px_ship_Name"), {{id("Name"), true}}};
  IndexSpec of_crew{id("px_ship_Crew"), {{id("Crew"), false}}};
  of_names.set = {id("Name")};
  of_crew.set = {id("Crew")};
  of_names.of_all_rows = id("ix_ship_Name");
  of_crew.of_all_rows = id("ix_ship_Crew");
  both.indexes.insert(both.indexes.end(), {of_names, of_crew});
  auto done = must(apply(*database, {}, {both}, noon));
  REQUIRE(done.statements.size() == 2);
  CHECK_THAT(done.statements[1], Catch::StartsWith(R"(CREATE INDEX "px_ship_Crew" ON "ship" ("Crew")"));
  CHECK_THAT(done.statements[1], Catch::EndsWith(R"( WHERE "Crew" IS NOT NULL)"));
  CHECK(must(apply(*database, {}, {both}, noon)).statements.empty());
}

TEST_CASE("an index that nobody asks for any more goes, one of somebody's own stays") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  TableSpec former = ship();
  former.indexes.push_back({id("cx_ship_Name_Ref"), {{id("Name"), true}, {id("Ref"), false, true}}});
  former.own_indexes = {"ix_ship_", "px_ship_", "cx_ship_"};
  must(apply(*database, {}, {former}, noon));
  write_script(*database,
               "CREATE INDEX my_own ON ship (\"Ref\", \"Name\"); CREATE INDEX ix_ship_of_the_engine ON ship (\"Ref\")");
  TableSpec now = ship();
  now.own_indexes = former.own_indexes;
  CHECK(must(apply(*database, {}, {now}, noon)).statements ==
        std::vector<std::string>{"DROP INDEX IF EXISTS \"cx_ship_Name_Ref\""});
  CHECK(must(apply(*database, {}, {now}, noon)).statements.empty());
}

TEST_CASE("columns of another type or key are reported, and nothing is done") {
  auto database = open_database("sqlite::memory:");
  must(apply(*database, {}, {ship()}, noon));
  TableSpec other = ship();
  other.columns[1].type = ColumnType::Whole;
  other.columns.push_back({id("Fleet"), ColumnType::Whole});
  other.primary_key = {id("Ref"), id("Name")};
  auto planned = must(plan(*must(database->connect_reader()), {}, {other}));
  CHECK(planned.statements == std::vector<std::string>{R"(ALTER TABLE "ship" ADD COLUMN "Fleet" BIGINT)"});
  REQUIRE(planned.problems.size() == 3);
  CHECK(planned.problems[0] == "column Ref of table ship is INTEGER in the database, not BIGINT");
  CHECK(planned.problems[1] == "column Name of table ship is TEXT in the database, not BIGINT");
  CHECK(planned.problems[2] == "column Name of table ship is not part of the primary key");
  const auto refused = apply(*database, {}, {other}, noon);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().log_detail, Catch::Contains(planned.problems[1] + "; " + planned.problems[2] + "; give"));
  CHECK(must(plan(*must(database->connect_reader()), {}, {other})).statements == planned.statements);
}

TEST_CASE("a later migration runs once, after the earlier ones") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  must(apply(*database, one_migration, {}, noon));
  auto more = one_migration;
  more.push_back({2, "0002_second.sql", "UPDATE first SET n = n + 1;"});
  CHECK(must(apply(*database, more, {}, noon)).statements.size() == 1);
  CHECK(must(apply(*database, more, {}, noon)).statements.empty());
  CHECK(number(*must(database->connect_reader()), Sql("SELECT n FROM first")) == 2);
}

TEST_CASE("a database newer than the program stops with a clear message and is not touched") {
  auto database = open_database("sqlite::memory:");
  auto newer = one_migration;
  newer.push_back({7, "0007_future.sql", "CREATE TABLE future (n BIGINT);"});
  must(apply(*database, newer, {}, noon));
  auto older = apply(*database, one_migration, {ship()}, noon);
  REQUIRE_FALSE(older);
  CHECK_THAT(older.error().log_detail, Catch::Contains("newer version") && Catch::Contains("7"));
  auto reader = must(database->connect_reader());
  CHECK_FALSE(plan(*reader, one_migration, {}));
  CHECK(number(*reader, Sql("SELECT count(*) FROM sqlite_schema WHERE name = 'ship'")) == 0);
}

TEST_CASE("a migration that fails half-way leaves nothing behind") {
  auto database = open_database("sqlite::memory:");
  CHECK_FALSE(apply(*database, {{1, "0001_bad.sql", "CREATE TABLE good (n BIGINT); CREATE TABL bad (n);"}}, {}, noon));
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM sqlite_schema")) == 0);
}

TEST_CASE("the program's own migrations are numbered once each and run on an empty database") {
  std::set<std::int64_t> numbers;
  for (const Migration& migration : engine_migrations()) {
    CHECK(migration.number > 0);
    CHECK(numbers.insert(migration.number).second);
  }
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  CHECK(must(apply(*database, engine_migrations(), {}, noon)).statements.size() == engine_migrations().size() + 1);
  CHECK(must(apply(*database, engine_migrations(), {}, noon)).statements.empty());
}

TEST_CASE("keys are handed out in blocks that never overlap") {
  auto database = open_database("sqlite::memory:");
  must(apply(*database, engine_migrations(), {}, noon));
  must(database->write([](Connection& connection) -> Result<void> {
    CHECK(must(connection.next_ids("ship", 1)) == 1);
    CHECK(must(connection.next_ids("ship", 10)) == 2);
    CHECK(must(connection.next_ids("ship", 1)) == 12);
    CHECK(must(connection.next_ids("crew", 1)) == 1);
    CHECK_FALSE(connection.next_ids("ship", 0));
    return {};
  }));
  CHECK_FALSE(database->write([](Connection& connection) -> Result<void> {
    CHECK(must(connection.next_ids("ship", 5)) == 13);
    return bad_format("undone");
  }));
  must(database->write([](Connection& connection) -> Result<void> {
    CHECK(must(connection.next_ids("ship", 1)) == 13);
    must(connection.keep_ids_above("ship", 100));
    must(connection.keep_ids_above("ship", 50));
    CHECK(must(connection.next_ids("ship", 1)) == 101);
    must(connection.keep_ids_above("port", 7));
    CHECK(must(connection.next_ids("port", 1)) == 8);
    return {};
  }));
}

TEST_CASE("what is called otherwise is renamed, with what is stored in it, once") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  const std::vector<Migration> with_counters{
      {1, "0001_first.sql", "CREATE TABLE id_block (entity TEXT NOT NULL PRIMARY KEY, next BIGINT NOT NULL);"}};
  must(apply(*database, with_counters, {ship(), crew()}, noon));
  auto done = database->write([](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.run_script(
        "INSERT INTO \"ship\" (\"Ref\", \"Name\") VALUES (1, 'Argo'); INSERT INTO \"crew\" VALUES (1, 1, 2.5);"
        "INSERT INTO id_block (entity, next) VALUES ('ship', 7)"));
    return {};
  });
  REQUIRE(done);
  TableSpec vessel = ship(), people = crew();
  vessel.name = id("vessel");
  vessel.formerly = {id("boat"), id("ship")};
  vessel.columns[1] = {id("Title"), ColumnType::Text, {}, {id("Name")}};
  vessel.indexes = {{id("ix_vessel_Title"), {{id("Title"), true}}, false}};
  vessel.own_indexes = {"ix_vessel_", "ix_ship_"};
  vessel.renamed_texts = {{id("Title"), "Argo", "Argo II"}};
  people.columns[2] = {id("Wage"), ColumnType::Real, {}, {id("Salary"), id("Pay")}};
  auto reader = must(database->connect_reader());
  const auto planned = must(plan(*reader, with_counters, {vessel, people}));
  CHECK(must(apply(*database, with_counters, {vessel, people}, noon)).statements == planned.statements);
  CHECK(texts(*reader, Sql("SELECT \"Title\" FROM \"vessel\"")) == std::vector<std::string>{"Argo II"});
  CHECK(texts(*reader, Sql("SELECT CAST(\"Wage\" AS TEXT) FROM \"crew\"")) == std::vector<std::string>{"2.5"});
  CHECK(texts(*reader, Sql("SELECT entity FROM id_block")) == std::vector<std::string>{"vessel"});
  CHECK(must(plan(*reader, with_counters, {vessel, people})).statements.empty());
  people.columns[2].name = id("Share");
  people.columns[2].formerly = {id("Wage")};
  people.columns[2].type = ColumnType::Text;
  CHECK_FALSE(must(plan(*reader, with_counters, {vessel, people})).problems.empty());  // another type, another name
}

TEST_CASE("a former name that is there beside the new one is left alone") {
  auto database = open_database("sqlite::memory:");
  TableSpec table = ship();
  table.columns.push_back({id("Title"), ColumnType::Text});
  must(apply(*database, one_migration, {table}, noon));
  table.columns = {{id("Ref"), ColumnType::Whole}, {id("Title"), ColumnType::Text, {}, {id("Name")}}};
  table.indexes.clear();
  CHECK(must(apply(*database, one_migration, {table}, noon)).statements.empty());
}
