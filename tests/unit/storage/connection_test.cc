#include "tests/unit/storage/support.h"

#include <limits>

using namespace callisto;
using namespace callisto::storage;

TEST_CASE("values of every kind come back as they went in") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database,
               "CREATE TABLE t (id BIGINT PRIMARY KEY, whole BIGINT, real DOUBLE PRECISION, text TEXT, bytes BLOB)");
  const std::int64_t most = std::numeric_limits<std::int64_t>::max();
  const std::int64_t least = std::numeric_limits<std::int64_t>::min();
  const std::string bytes("\0\xff\0z", 4);
  const std::string text = "Grüße, 世界 'quoted' \"twice\"; --";
  must(database->write([&](Connection& connection) -> Result<void> {
    Sql insert("INSERT INTO t VALUES (?1, ?2, ?3, ?4, ?5)");
    CALLISTO_CHECK(connection.execute(insert, {std::int64_t{1}, most, 0.1, text, Binary{bytes}}));
    CALLISTO_CHECK(connection.execute(insert, {std::int64_t{2}, least, -1e300, std::string(), Binary{}}));
    CALLISTO_CHECK(connection.execute(insert, {std::int64_t{3}, true, 2.0, Null{}, Null{}}));
    CALLISTO_CHECK(connection.execute(insert, {std::int64_t{4}, DateTime{1'700'000'000'123}, Null{}, Null{}, Null{}}));
    CALLISTO_CHECK(connection.execute(insert, {std::int64_t{5}, Decimal{-12'345, 2}, Null{}, Null{}, Null{}}));
    return {};
  }));
  auto reader = must(database->connect_reader());
  auto rows = must(reader->query(Sql("SELECT whole, real, text, bytes FROM t ORDER BY id"), {}));

  REQUIRE(must(rows->step()));
  CHECK(rows->integer(0) == most);
  CHECK(rows->real(1) == 0.1);
  CHECK(rows->text(2) == text);
  CHECK(rows->text(3) == bytes);
  REQUIRE(must(rows->step()));
  CHECK(rows->integer(0) == least);
  CHECK(rows->real(1) == -1e300);
  CHECK_FALSE(rows->is_null(2));
  CHECK(rows->text(2).empty());
  CHECK_FALSE(rows->is_null(3));
  CHECK(rows->text(3).empty());
  REQUIRE(must(rows->step()));
  CHECK(rows->integer(0) == 1);
  CHECK(rows->is_null(2));
  CHECK(rows->is_null(3));
  REQUIRE(must(rows->step()));
  CHECK(rows->integer(0) == 1'700'000'000'123);
  REQUIRE(must(rows->step()));
  CHECK(rows->integer(0) == -12'345);
  CHECK_FALSE(must(rows->step()));
  CHECK_FALSE(must(rows->step()));  // a finished cursor does not begin again
}

TEST_CASE("the collation and the functions ignore case in all scripts") {
  auto database = open_database("sqlite::memory:");
  write_script(*database,
               "CREATE TABLE t (name TEXT); CREATE INDEX ix ON t (name COLLATE folded);"
               "INSERT INTO t VALUES ('ÄRGER'), ('ärger'), ('Ωmega'), ('apple'), (NULL);");
  auto reader = must(database->connect_reader());
  CHECK(number(*reader, Sql("SELECT count(*) FROM t WHERE name = ?1 COLLATE folded"), {std::string("Ärger")}) == 2);
  CHECK(number(*reader, Sql("SELECT count(*) FROM t WHERE name = ?1 COLLATE folded"), {std::string("arger")}) == 0);
  CHECK(texts(*reader, Sql("SELECT name FROM t WHERE contains_folded(name, ?1)"), {std::string("ωm")}) ==
        std::vector<std::string>{"Ωmega"});
  CHECK(number(*reader, Sql("SELECT count(*) FROM t WHERE starts_with_folded(name, ?1)"), {std::string("är")}) == 2);
  CHECK(number(*reader, Sql("SELECT count(*) FROM t WHERE ends_with_folded(name, ?1)"), {std::string("ger")}) == 2);
  CHECK(number(*reader, Sql("SELECT contains_folded('abc', '') + starts_with_folded('abc', '%')"), {}) == 1);
  CHECK(number(*reader, Sql("SELECT contains_folded(NULL, 'x') IS NULL"), {}) == 1);
  CHECK(texts(*reader, Sql("SELECT name FROM t WHERE name IS NOT NULL ORDER BY name COLLATE folded LIMIT 1")) ==
        std::vector<std::string>{"apple"});
}

TEST_CASE("an index by the collation is used to find and to order") {
  auto database = open_database("sqlite::memory:");
  write_script(*database, "CREATE TABLE t (name TEXT); CREATE INDEX ix_name ON t (name COLLATE folded);");
  auto reader = must(database->connect_reader());
  auto found = must(reader->explain(Sql("SELECT * FROM t WHERE name = ?1 COLLATE folded"), {std::string("x")}));
  REQUIRE(found.size() == 1);
  CHECK_THAT(found[0], Catch::Contains("ix_name"));
  auto ordered = must(reader->explain(Sql("SELECT name FROM t ORDER BY name COLLATE folded"), {}));
  REQUIRE(ordered.size() == 1);
  CHECK_THAT(ordered[0], Catch::Contains("ix_name"));
}

TEST_CASE("a statement whose cursor is open can be asked again") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database, "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1), (2), (3);");
  auto reader = must(database->connect_reader());
  Sql select("SELECT n FROM t WHERE n >= ?1 ORDER BY n");
  auto outer = must(reader->query(select, {std::int64_t{1}}));
  REQUIRE(must(outer->step()));
  CHECK(texts(*reader, select, {std::int64_t{2}}) == std::vector<std::string>{"2", "3"});
  CHECK(outer->integer(0) == 1);
  REQUIRE(must(outer->step()));
  CHECK(outer->integer(0) == 2);
}

TEST_CASE("a kept statement remembers no value of its last use") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  auto reader = must(database->connect_reader());
  CHECK(number(*reader, Sql("SELECT ?1 IS NULL"), {std::int64_t{1}}) == 0);
  CHECK(number(*reader, Sql("SELECT ?1 IS NULL"), {Null{}}) == 1);
  auto missing = reader->query(Sql("SELECT ?1 IS NULL"), {});
  REQUIRE_FALSE(missing);
  CHECK(missing.error().status == 500);
}

TEST_CASE("execute tells how many rows it changed") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  must(database->write([](Connection& connection) -> Result<void> {
    CHECK(must(connection.execute(Sql("CREATE TABLE t (n BIGINT)"), {})) == 0);
    CHECK(must(connection.execute(Sql("INSERT INTO t VALUES (1), (2), (3)"), {})) == 3);
    CHECK(must(connection.execute(Sql("UPDATE t SET n = 0 WHERE n > ?1"), {std::int64_t{1}})) == 2);
    CHECK(must(connection.execute(Sql("DELETE FROM t WHERE n = 9"), {})) == 0);
    CHECK(must(connection.execute(Sql("CREATE INDEX ix ON t (n)"), {})) == 0);
    return {};
  }));
}

TEST_CASE("an error tells the client no SQL") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  auto reader = must(database->connect_reader());
  auto result = reader->query(Sql("SELECT secret_column FROM nowhere"), {});
  REQUIRE_FALSE(result);
  CHECK(result.error().status == 500);
  CHECK(result.error().message.find("nowhere") == std::string::npos);
  CHECK_THAT(result.error().log_detail, Catch::Contains("nowhere"));
}

TEST_CASE("a misspelt column in double quotes is an error and not a text") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database, "CREATE TABLE t (name TEXT)");
  auto reader = must(database->connect_reader());
  CHECK_FALSE(reader->query(Sql("SELECT \"nmae\" FROM t"), {}));
}

TEST_CASE("a reader cannot write") {
  const auto url = GENERATE(from_range(fresh_urls()));
  auto database = open_database(url);
  write_script(*database, "CREATE TABLE t (n BIGINT)");
  auto reader = must(database->connect_reader());
  CHECK_FALSE(reader->execute(Sql("INSERT INTO t VALUES (1)"), {}));
  CHECK_FALSE(reader->run_script("INSERT INTO t VALUES (1)"));
  if (url.starts_with("sqlite:")) CHECK_FALSE(reader->run_script("PRAGMA query_only = OFF; INSERT INTO t VALUES (1);"));
  CHECK(number(*reader, Sql("SELECT count(*) FROM t")) == 0);
}

TEST_CASE("a statement past its deadline is stopped and the connection stays usable") {
  DatabaseOptions options;
  options.url = GENERATE(from_range(fresh_urls()));
  options.read_deadline = std::chrono::seconds(1);  // ample for whatever is not the statement without end
  auto database = must(Database::open(options));
  auto reader = must(database->connect_reader());
  auto cursor = must(
      reader->query(Sql("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n"), {}));
  auto stepped = cursor->step();
  REQUIRE_FALSE(stepped);
  CHECK(stepped.error().status == 503);
  CHECK_FALSE(must(cursor->step()));
  cursor.reset();
  CHECK(number(*reader, Sql("SELECT 7")) == 7);
}

TEST_CASE("reads of one read transaction see one state") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database, "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1);");
  auto reader = must(database->connect_reader());
  Sql count("SELECT count(*) FROM t");
  {
    auto transaction = must(ReadTransaction::begin(*reader));
    CHECK(number(*reader, count) == 1);
    write_script(*database, "INSERT INTO t VALUES (2)");
    CHECK(number(*reader, count) == 1);
    auto inner = must(ReadTransaction::begin(*reader));
    CHECK(number(*reader, count) == 1);
  }
  CHECK(number(*reader, count) == 2);
}

TEST_CASE("a read transaction inside a write is that write") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  must(database->write([](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.run_script("CREATE TABLE t (n BIGINT)"));
    { auto transaction = must(ReadTransaction::begin(connection)); }
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO t VALUES (1)"), {}));
    return {};
  }));
  auto reader = must(database->connect_reader());
  CHECK(number(*reader, Sql("SELECT count(*) FROM t")) == 1);
}
