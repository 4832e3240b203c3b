// What SQLite's planner is told of the values of indexes.
#include "engine/storage/upkeep.h"

#include "engine/storage/migrate.h"
#include "tests/unit/storage/support.h"

using namespace callisto;
using namespace callisto::storage;

namespace {

SqlIdentifier id(std::string_view name) { return SqlIdentifier::of(name); }

TableSpec ship() {
  return {id("ship"),
          {{id("Ref"), ColumnType::Whole}, {id("Kind"), ColumnType::Whole}, {id("Owner"), ColumnType::Whole}},
          {id("Ref")},
          {{id("ix_ship_Kind"), {{id("Kind")}, {id("Owner")}}}, {id("ix_ship_Owner"), {{id("Owner")}}}}};
}

void add_ships(Database& database, std::int64_t from, std::int64_t to) {
  must(database.write([&](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("WITH RECURSIVE n(i) AS (SELECT ?1 UNION ALL SELECT i + 1 FROM n WHERE i < "
                                          "?2) INSERT INTO ship SELECT i, i % 4, i "
                                          "/ 5 FROM n"),
                                      {Value(from), Value(to)}));
    return {};
  }));
}

std::string known(Connection& connection, const std::string& index) {
  return texts(connection, Sql("SELECT stat FROM sqlite_stat1 WHERE idx = ?1"), {Value(index)}).front();
}

}  // namespace

TEST_CASE("indexes are sampled when a table has grown by much, and readers choose by what was found") {
  auto database = open_database("sqlite::memory:");
  must(apply(*database, {}, {ship()}, DateTime{0}));
  const auto reader = must(database->connect_reader());
  const Sql question("SELECT \"Ref\" FROM ship WHERE \"Owner\" = ?1 AND \"Kind\" > ?2");
  Statistics statistics(*database, {ship()});
  add_ships(*database, 1, 500);
  CHECK_FALSE(must(statistics.run()));  // too few to matter
  add_ships(*database, 501, 20'000);
  CHECK(must(statistics.run()));
  CHECK_FALSE(must(statistics.run()));
  // A quarter of the rows has the same kind, as the sample alone would not tell.
  const std::string kinds = known(*reader, "ix_ship_Kind");
  const auto begin = kinds.find(' ') + 1;
  const std::int64_t of_a_kind = std::stoll(kinds.substr(begin));
  CHECK((of_a_kind > 3000 && of_a_kind < 7000));
  CHECK_THAT(known(*reader, "ix_ship_Owner"), Catch::EndsWith(" 5"));
  CHECK_THAT(must(reader->explain(question, {Value(std::int64_t{7}), Value(std::int64_t{1})})).front(),
             Catch::Contains("ix_ship_Owner"));
  add_ships(*database, 20'001, 21'000);
  CHECK_FALSE(must(statistics.run()));
  add_ships(*database, 21'001, 30'000);
  CHECK(must(statistics.run()));
  // A process that starts later finds them good enough.
  Statistics later(*database, {ship()});
  CHECK_FALSE(must(later.run()));
}

TEST_CASE("indexes of all rows are said to have as many entries, since each estimate is another") {
  auto database = open_database("sqlite::memory:");
  TableSpec table = ship();
  for (const char* name : {"ix_a", "ix_b", "ix_c", "ix_d"})
    table.indexes.push_back({id(name), {{id("Owner")}, {id("Kind")}, {id("Ref")}}});
  table.indexes.push_back({id("ix_part"), {{id("Owner")}}});
  table.indexes.back().set = {id("Owner")};
  must(apply(*database, {}, {table}, DateTime{0}));
  add_ships(*database, 1, 30'000);
  must(database->write([](Connection& connection) -> Result<void> {
    return connection.run_script("UPDATE ship SET \"Owner\" = NULL WHERE \"Ref\" > 1000");
  }));
  CHECK(must(Statistics(*database, {table}).run()));
  const auto reader = must(database->connect_reader());
  const auto rows = [&](const char* index) { return std::stoll(known(*reader, index)); };
  for (const char* index : {"ix_a", "ix_b", "ix_c", "ix_d", "ix_ship_Owner"})
    CHECK(rows(index) == rows("ix_ship_Kind"));
  CHECK(rows("ix_ship_Kind") > 10'000);
  CHECK(rows("ix_part") < 10'000);
}

TEST_CASE("an index that was made since is sampled at the next start") {
  auto database = open_database("sqlite::memory:");
  must(apply(*database, {}, {ship()}, DateTime{0}));
  add_ships(*database, 1, 5000);
  CHECK(must(Statistics(*database, {ship()}).run()));
  TableSpec more = ship();
  more.indexes.push_back({id("ix_ship_Ref_Kind"), {{id("Owner")}, {id("Kind")}}});
  must(apply(*database, {}, {more}, DateTime{0}));
  CHECK(must(Statistics(*database, {more}).run()));
  CHECK_FALSE(must(Statistics(*database, {more}).run()));
}
