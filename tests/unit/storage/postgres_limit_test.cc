// RowLimit on PostgreSQL, which counts no rows but the time that they take. Each test returns at once where it is not
// installed, which has been warned of.
#include "tests/unit/storage/support.h"

#include <memory>

using namespace callisto;
using namespace callisto::storage;

TEST_CASE("PostgreSQL: a limit of rows that was met leaves the transaction around it as it was") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  const auto deadline = [&] {
    auto row = must(reader->query(Sql("SELECT current_setting('statement_timeout')"), {}));
    REQUIRE(must(row->step()));
    return std::string(row->text(0));
  };
  const std::string usual = deadline();
  for (const bool is_met : {false, true}) {
    const auto transaction = must(ReadTransaction::begin(*reader));
    {
      const auto limit = must(RowLimit::set(*reader, 1));
      auto rows = must(reader->query(Sql("SELECT CASE WHEN ?1 = 1 THEN pg_sleep(20) END"), {is_met}));
      CHECK(rows->step().has_value() == !is_met);
      CHECK(limit.is_met() == is_met);
    }
    CHECK(number(*reader, Sql("SELECT 5")) == 5);
    CHECK(deadline() == usual);
    REQUIRE(must(RowLimit::set(*reader, 1'000'000)).is_met() == false);  // once more
    CHECK(number(*reader, Sql("SELECT 6")) == 6);
  }
  CHECK(deadline() == usual);
}

TEST_CASE("PostgreSQL: what is stopped behind the rows that were read does not end their transaction") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  const auto transaction = must(ReadTransaction::begin(*reader));
  {
    const auto limit = must(RowLimit::set(*reader, 500'000));
    auto rows = must(reader->query(Sql("SELECT i, repeat('x', 100000), CASE WHEN i = 3 THEN pg_sleep(20) END FROM "
                                       "generate_series(1, 3) i"),
                                   {}));
    REQUIRE(must(rows->step()));
  }
  CHECK(number(*reader, Sql("SELECT 5")) == 5);
}

TEST_CASE("PostgreSQL: rows that were begun under a limit end within it, or fail where it ends") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  // So long that the first is sent before the last is known.
  const Sql sql("SELECT i, repeat('x', 100000), CASE WHEN i = ?1 THEN pg_sleep(20) END FROM generate_series(1, 3) i");
  for (const std::int64_t slow : {0, 3}) {
    std::unique_ptr<Cursor> rows;
    {
      const auto limit = must(RowLimit::set(*reader, 1'000'000));
      rows = must(reader->query(sql, {slow}));
      REQUIRE(must(rows->step()));
      CHECK(rows->read_to_end().has_value() == (slow == 0));
      CHECK(limit.is_met() == (slow != 0));
      if (slow != 0) rows.reset();
    }
    if (!rows) continue;
    CHECK(rows->integer(0) == 1);
    CHECK(number(*reader, Sql("SELECT 5")) == 5);
    REQUIRE(must(rows->step()));
    REQUIRE(must(rows->step()));
    CHECK(rows->integer(0) == 3);
    CHECK_FALSE(must(rows->step()));
  }
}
