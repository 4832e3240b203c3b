// What PostgreSQL alone does. Each test returns at once where it is not installed, which has been warned of.
#include "engine/base/text.h"
#include "engine/storage/migrate.h"
#include "engine/storage/postgres/install.h"
#include "engine/storage/postgres/statements.h"
#include "tests/support/database_relay.h"
#include "tests/unit/storage/support.h"

#include <atomic>
#include <bit>
#include <functional>
#include <future>
#include <optional>
#include <thread>

using namespace callisto;
using namespace callisto::storage;

namespace {

std::unique_ptr<Database> open_with_writers(const std::string& url, std::size_t writers) {
  DatabaseOptions options;
  options.url = url;
  options.writers = writers;
  return must(Database::open(options));
}

std::string name_of(const std::string& url) {
  const auto begin = url.find("@/") + 2;
  return url.substr(begin, url.find('?') - begin);
}

// As when the server is restarted.
void end_all_connections(test::Postgres& server, const std::string& url) {
  server.execute("postgres", "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '" +
                                 name_of(url) + "'");
}

constexpr DateTime noon{1'700'000'000'000};

}  // namespace

TEST_CASE("parameters are renumbered outside of quotes alone") {
  CHECK(numbered("SELECT ?1, ?12").text == "SELECT $1, $12");
  CHECK(numbered("SELECT ?1, ?12").parameters == 12);
  CHECK(numbered("SELECT '?1', 'it''s ?2', \"a?3\"\"?\", ?4").text == "SELECT '?1', 'it''s ?2', \"a?3\"\"?\", $4");
  CHECK(numbered("SELECT '?9'").parameters == 0);
}

TEST_CASE("PostgreSQL: a text with U+0000 is refused, bytes with it are not") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  auto refused = reader->query(Sql("SELECT ?1"), {std::string("a\0b", 3)});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().status == 400);
  CHECK_THAT(refused.error().message, Catch::Contains("U+0000"));
  auto row = must(reader->query(Sql("SELECT ?1"), {Binary{std::string("a\0b", 3)}}));
  REQUIRE(must(row->step()));
  CHECK(row->text(0) == std::string("a\0b", 3));
}

TEST_CASE("PostgreSQL: every real number comes back exactly") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  for (double number : {0.1, -0.0, 1e-308, 5e-324, 1.7976931348623157e308, 9007199254740993.0, 1.0 / 3}) {
    auto row = must(reader->query(Sql("SELECT ?1"), {number}));
    REQUIRE(must(row->step()));
    CHECK(std::bit_cast<std::uint64_t>(row->real(0)) == std::bit_cast<std::uint64_t>(number));
  }
}

TEST_CASE("PostgreSQL: a parameter may be null first, a number or a text later") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  write_script(*database, "CREATE TABLE t (n BIGINT, text TEXT, bytes BLOB, real DOUBLE PRECISION)");
  must(database->write([](Connection& connection) -> Result<void> {
    Sql insert("INSERT INTO t VALUES (?1, ?2, ?3, ?4)");
    CALLISTO_CHECK(connection.execute(insert, {Null{}, Null{}, Null{}, Null{}}));
    CALLISTO_CHECK(connection.execute(insert, {std::int64_t{1} << 40, std::string("x"), Null{}, 0.5}));
    CALLISTO_CHECK(connection.execute(insert, {Null{}, Null{}, Binary{"\xff"}, Null{}}));
    CALLISTO_CHECK(connection.execute(insert, {true, std::string(), Binary{}, std::int64_t{3}}));
    return {};
  }));
  auto reader = must(database->connect_reader());
  CHECK(texts(*reader, Sql("SELECT COALESCE(n, -1) || ' ' || COALESCE(text, '-') || ' ' || COALESCE(real, -1) FROM t "
                           "ORDER BY n NULLS FIRST, bytes NULLS FIRST")) ==
        std::vector<std::string>{"-1 - -1", "-1 - -1", "1  3", "1099511627776 x 0.5"});
}

TEST_CASE("PostgreSQL: statements beyond the limit are closed, those of one connection stay apart") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  for (int round = 0; round < 2; ++round)
    for (std::size_t n = 1; n <= 300; ++n) {
      Sql sql("SELECT ");
      sql.integer(n);
      REQUIRE(number(*reader, sql) == static_cast<std::int64_t>(n));
    }
  CHECK(number(*reader, Sql("SELECT count(*) FROM pg_prepared_statements")) <= 256);
}

TEST_CASE(
    "PostgreSQL: a statement that is planned once is, and the next one is not, also behind what was rolled back") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  const auto mode = [](Connection& connection, bool once) {
    Sql sql("SELECT current_setting('plan_cache_mode')");
    sql.plan_once(once);
    auto row = must(connection.query(sql, {}));
    REQUIRE(must(row->step()));
    return std::string(row->text(0));
  };
  for (const char* usual : {"auto", "force_custom_plan"}) {
    INFO(usual);
    const char* between = url.find('?') == url.npos ? "?" : "&";
    auto database = open_database(url + between + "options=-cplan_cache_mode%3D" + usual);
    auto reader = must(database->connect_reader());
    CHECK(mode(*reader, false) == usual);
    CHECK(mode(*reader, true) == "force_generic_plan");
    CHECK(mode(*reader, false) == usual);
    for (const bool before : {false, true}) {
      CHECK(mode(*reader, before) == (before ? "force_generic_plan" : usual));
      {
        const auto together = must(ReadTransaction::begin(*reader));
        CHECK(mode(*reader, !before) == (before ? usual : "force_generic_plan"));
      }
      CHECK(mode(*reader, !before) == (before ? usual : "force_generic_plan"));
      CHECK(mode(*reader, before) == (before ? "force_generic_plan" : usual));
    }
    CHECK(mode(*reader, true) == "force_generic_plan");
    end_all_connections(*server, url);
    CHECK(mode(*reader, false) == usual);  // of a new connection
    CHECK(mode(*reader, true) == "force_generic_plan");
  }
}

TEST_CASE("PostgreSQL: a statement whose plan for all values was slow with some is planned for each from then on") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  const auto mode = [&](SqlLiteral text, double seconds) {
    Sql sql(text);
    sql.plan_once(true);
    auto row = must(reader->query(sql, {seconds}));
    REQUIRE(must(row->step()));
    return std::string(row->text(0));
  };
  constexpr SqlLiteral slow("SELECT current_setting('plan_cache_mode'), pg_sleep(?1)");
  constexpr SqlLiteral other("SELECT current_setting('plan_cache_mode'), 1, pg_sleep(?1)");
  CHECK(mode(slow, 0) == "force_generic_plan");
  CHECK(mode(slow, 0.06) == "force_generic_plan");
  CHECK(mode(slow, 0) == "auto");
  CHECK(mode(other, 0) == "force_generic_plan");
  CHECK(mode(slow, 0) == "auto");
}

TEST_CASE("PostgreSQL: other statements run while a large answer is read") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  auto rows = must(reader->query(Sql("SELECT i FROM generate_series(1, 100000) i"), {}));
  std::int64_t sum = 0;
  for (std::int64_t i = 1; i <= 100'000; ++i) {
    REQUIRE(must(rows->step()));
    sum += rows->integer(0);
    if (i % 30'000 == 7) REQUIRE(number(*reader, Sql("SELECT ?1"), {i}) == i);
  }
  CHECK(sum == 5'000'050'000);
  CHECK_FALSE(must(rows->step()));
  auto unread = must(reader->query(Sql("SELECT i FROM generate_series(1, 100000) i"), {}));
  REQUIRE(must(unread->step()));
  unread.reset();
  CHECK(number(*reader, Sql("SELECT 5")) == 5);
}

TEST_CASE("PostgreSQL: a statement that fails after some rows says so there, its cursor once") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  for (bool ahead : {false, true}) {
    auto rows = must(reader->query(Sql("SELECT 10 / (3 - i) FROM generate_series(1, 9) i"), {}));
    REQUIRE(must(rows->step()));
    if (ahead) REQUIRE(number(*reader, Sql("SELECT 1")) == 1);
    REQUIRE(must(rows->step()));
    auto failed = rows->step();
    REQUIRE_FALSE(failed);
    CHECK(failed.error().status == 500);
    CHECK_THAT(failed.error().log_detail, Catch::Contains("22012"));
    CHECK_FALSE(must(rows->step()));
  }
}

TEST_CASE("PostgreSQL: connections that were lost are made again") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  auto database = open_database(url);
  write_script(*database, "CREATE TABLE t (n BIGINT)");
  auto reader = must(database->connect_reader());
  auto in_transaction = must(database->connect_reader());
  Sql count("SELECT count(*) FROM t");
  CHECK(number(*reader, count) == 0);
  auto transaction = std::optional(must(ReadTransaction::begin(*in_transaction)));
  CHECK(number(*in_transaction, count) == 0);
  end_all_connections(*server, url);

  write_script(*database, "INSERT INTO t VALUES (1)");
  CHECK(number(*reader, count) == 1);
  auto lost = in_transaction->query(count, {});
  auto step = lost ? (*lost)->step() : Result<bool>(lost.error());
  REQUIRE_FALSE(step);
  CHECK(step.error().status == 503);
  if (lost) lost->reset();
  transaction.reset();
  CHECK(number(*in_transaction, count) == 1);
}

TEST_CASE("PostgreSQL: a write whose connection is lost is a 503 and did nothing") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  auto database = open_database(url);
  write_script(*database, "CREATE TABLE t (n BIGINT)");
  const auto commits = database->commits();
  auto lost = database->write([&](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO t VALUES (1)"), {}));
    end_all_connections(*server, url);
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO t VALUES (2)"), {}));
    return {};
  });
  REQUIRE_FALSE(lost);
  CHECK(lost.error().status == 503);
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t")) == 0);
  CHECK(database->commits()->number == commits->number);
  write_script(*database, "INSERT INTO t VALUES (3)");
  CHECK(database->commits()->number == commits->number + 1);
  CHECK(database->commits()->others_write);
}

TEST_CASE("PostgreSQL: writes of several nodes happen as if one after the other") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  auto one = open_with_writers(url, 4), other = open_with_writers(url, 4);
  must(apply(*one, engine_migrations(), {}, noon));
  write_script(*one,
               "CREATE TABLE t (id BIGINT PRIMARY KEY, n BIGINT); INSERT INTO t VALUES (1, 0), (2, 50);"
               "CREATE TABLE named (id BIGINT PRIMARY KEY, name TEXT)");
  constexpr int threads = 8, writes = 25;
  std::atomic<int> failed{0}, taken{0}, runs{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < threads; ++client)
    clients.emplace_back([&, client] {
      for (int i = 0; i < writes; ++i) {
        bool took = false;
        auto written = (client % 2 ? one : other)->write([&](Connection& connection) -> Result<void> {
          ++runs;
          took = false;
          // Read, think, write: nothing may be lost.
          CALLISTO_TRY(const auto row, connection.query(Sql("SELECT n FROM t WHERE id = 1"), {}));
          CALLISTO_CHECK(row->step());
          CALLISTO_CHECK(connection.execute(Sql("UPDATE t SET n = ?1 WHERE id = 1"), {row->integer(0) + 1}));
          // What is not there is made once, although nothing unique says so.
          const std::string name = "n" + std::to_string(i);
          CALLISTO_TRY(const auto same, connection.query(Sql("SELECT 1 FROM named WHERE name = ?1"), {name}));
          CALLISTO_TRY(const bool known, same->step());
          if (known) return {};
          took = true;
          CALLISTO_TRY(const auto id, connection.next_ids("named", 1));
          CALLISTO_CHECK(connection.execute(Sql("INSERT INTO named VALUES (?1, ?2)"), {id, name}));
          return {};
        });
        if (!written) ++failed;
        else if (took) ++taken;
      }
    });
  for (std::thread& client : clients) client.join();
  auto reader = must(one->connect_reader());
  INFO(runs << " runs");
  CHECK(number(*reader, Sql("SELECT n FROM t WHERE id = 1")) + failed == threads * writes);
  CHECK(failed == 0);
  CHECK(number(*reader, Sql("SELECT count(*) FROM named")) == writes);
  CHECK(taken == writes);
}

TEST_CASE("PostgreSQL: a write that met another runs again, whatever it said of it") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  auto one = open_database(url), other = open_database(url);
  write_script(*one, "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1);");
  for (bool swallow : {false, true}) {
    int runs = 0;
    must(one->write([&](Connection& connection) -> Result<void> {
      ++runs;
      REQUIRE(number(connection, Sql("SELECT count(*) FROM t")) == 1);
      if (runs == 1) write_script(*other, "UPDATE t SET n = n + 1");
      auto changed = connection.execute(Sql("UPDATE t SET n = n + 10"), {});
      if (!changed && !swallow) return bad_format("the function's own words");
      return {};
    }));
    CHECK(runs == 2);
  }
  CHECK(number(*must(one->connect_reader()), Sql("SELECT n FROM t")) == 23);
}

TEST_CASE("PostgreSQL: keys are given out while another write holds some, and leave gaps") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  auto one = open_database(url), other = open_database(url);
  must(apply(*one, engine_migrations(), {}, noon));
  CHECK_FALSE(one->write([&](Connection& connection) -> Result<void> {
    CHECK(must(connection.next_ids("ship", 5)) == 1);
    must(other->write([](Connection& second) -> Result<void> {
      CHECK(must(second.next_ids("ship", 1)) == 6);
      must(second.keep_ids_above("ship", 100));
      must(second.keep_ids_above("ship", 50));
      return {};
    }));
    return bad_format("undone");
  }));
  must(one->write([](Connection& connection) -> Result<void> {
    CHECK(must(connection.next_ids("ship", 1)) == 101);
    CHECK_FALSE(connection.next_ids("ship", 0));
    return {};
  }));
}

TEST_CASE("PostgreSQL: nodes that start at once migrate once") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  const TableSpec ship{SqlIdentifier::of("ship"),
                       {{SqlIdentifier::of("Ref"), ColumnType::Whole}, {SqlIdentifier::of("Name"), ColumnType::Text}},
                       {SqlIdentifier::of("Ref")},
                       {{SqlIdentifier::of("ix_ship_Name"), {{SqlIdentifier::of("Name"), true}}, false}}};
  std::vector<std::future<std::size_t>> nodes;
  for (int node = 0; node < 4; ++node)
    nodes.push_back(std::async(std::launch::async, [&] {
      DatabaseOptions options;
      options.url = url;
      auto database = Database::open(options);
      if (!database) return std::size_t{999};
      auto done = apply(**database, engine_migrations(), {ship}, noon);
      return done ? done->statements.size() : std::size_t{999};
    }));
  std::size_t statements = 0;
  for (auto& node : nodes) statements += node.get();
  CHECK(statements == engine_migrations().size() + 3);
}

TEST_CASE("PostgreSQL: tables are spelt so that queries find their indexes, and differences are told") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  const auto id = SqlIdentifier::of;
  TableSpec ship{id("ship"),
                 {{id("Ref"), ColumnType::Whole},
                  {id("Name"), ColumnType::Text},
                  {id("Load"), ColumnType::Real},
                  {id("Flag"), ColumnType::Bytes}},
                 {id("Ref")},
                 {{id("ix_ship_Name"), {{id("Name"), true}}, false}}};
  const auto done = must(apply(*database, {}, {ship}, noon));
  CHECK(done.statements[1] ==
        R"(CREATE TABLE "ship" ("Ref" BIGINT NOT NULL, "Name" TEXT, "Load" DOUBLE PRECISION, "Flag" BYTEA, )"
        R"(PRIMARY KEY ("Ref")))");
  CHECK(done.statements[2] == R"(CREATE INDEX "ix_ship_Name" ON "ship" (folded("Name") COLLATE "C" NULLS FIRST))");
  CHECK(must(apply(*database, {}, {ship}, noon)).problems.empty());
  ship.columns[1].type = ColumnType::Whole;
  ship.primary_key = {id("Ref"), id("Name")};
  auto reader = must(database->connect_reader());
  CHECK(must(plan(*reader, {}, {ship})).problems ==
        std::vector<std::string>{"column Name of table ship is TEXT in the database, not BIGINT",
                                 "column Name of table ship is not part of the primary key"});
  write_script(*database, "INSERT INTO ship SELECT i, 'Ship ' || i FROM generate_series(1, 20000) i; ANALYZE ship");
  const auto uses_index = [&](const Sql& sql, const std::vector<Value>& values) {
    std::string steps;
    for (const std::string& line : must(reader->explain(sql, values))) steps += line;
    CHECK_THAT(steps, Catch::Contains("ix_ship_Name") && !Catch::Contains("Sort"));
  };
  uses_index(Sql("SELECT * FROM ship WHERE folded(\"Name\") COLLATE \"C\" = ?1"), {std::string("ship 7")});
  uses_index(Sql("SELECT * FROM ship ORDER BY folded(\"Name\") COLLATE \"C\" NULLS FIRST LIMIT 10"), {});
  uses_index(Sql("SELECT * FROM ship ORDER BY folded(\"Name\") COLLATE \"C\" DESC NULLS LAST LIMIT 10"), {});
}

TEST_CASE("PostgreSQL: folded() is text::fold for every character") {
  auto* server = test::Postgres::running();
  if (!server) return;
  auto database = open_database(server->new_database());
  auto reader = must(database->connect_reader());
  auto rows = must(
      reader->query(Sql("SELECT words, folded(words), count FROM (SELECT string_agg(chr(i), '' ORDER BY i) AS words, "
                        "count(*) AS count "
                        "FROM generate_series(1, 1114111) i WHERE i NOT BETWEEN 55296 AND 57343 GROUP BY i / 64) s"),
                    {}));
  std::int64_t characters = 0, wrong = 0;
  while (must(rows->step())) {
    characters += rows->integer(2);
    if (rows->text(1) != text::fold(rows->text(0))) ++wrong;
  }
  CHECK(characters == 0x10FFFF - 2048);
  CHECK(wrong == 0);
  const std::string text = "ÄRGER mit der STRASSE ẞ, ΣΊΣΥΦΟΣ, Żółć, İstanbul, Ꭰꭰ, K und 𐐀";
  CHECK(texts(*reader, Sql("SELECT folded(?1)"), {text}) == std::vector<std::string>{text::fold(text)});
}

TEST_CASE(
    "PostgreSQL: a table of folding of an older Unicode is renewed with its indexes, a newer one stops the start") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  const auto indexed = [](Database& database) {
    return number(*must(database.connect_reader()), Sql("SELECT count(*) FROM t WHERE folded(name) COLLATE \"C\" = ?1"),
                  {std::string("ärger")});
  };
  open_database(url);
  server->execute(
      name_of(url),
      "CREATE OR REPLACE FUNCTION folded(value text) RETURNS text LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL "
      "SAFE AS 'BEGIN RETURN lower(value COLLATE \"C\"); END';"
      "COMMENT ON FUNCTION folded(text) IS 'callisto 1 9.0.0.0';"
      "CREATE TABLE t (name TEXT); INSERT INTO t SELECT 'X' || i FROM generate_series(1, 5000) i;"
      "INSERT INTO t VALUES ('ÄRGER'); CREATE INDEX ix ON t (folded(name) COLLATE \"C\"); ANALYZE t;");
  CHECK(indexed(*open_database(url)) == 1);
  server->execute(name_of(url), "COMMENT ON FUNCTION folded(text) IS 'callisto 1 99.0.0.0'");
  DatabaseOptions options;
  options.url = url;
  auto refused = Database::open(options);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().log_detail, Catch::Contains("newer version of Unicode"));
}

TEST_CASE("PostgreSQL: a url that is none, a server that is none and a database of another encoding are told apart") {
  DatabaseOptions options;
  for (const std::string url : {"postgresql://me:se%zzcret@host/desk", "postgresql://me:pass/secret@host:x/d?secret"}) {
    options.url = url;
    auto refused = Database::open(options);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().log_detail.find("cret") == std::string::npos);
  }
  options.url = "postgresql://me:secret@/desk?host=/nowhere";
  auto missing = Database::open(options);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().status == 503);
  CHECK(missing.error().log_detail.find("secret") == std::string::npos);
  auto* server = test::Postgres::running();
  if (!server) return;
  server->execute("postgres", "CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'");
  options.url = server->url_of("latin");
  auto latin = Database::open(options);
  REQUIRE_FALSE(latin);
  CHECK_THAT(latin.error().log_detail, Catch::Contains("UTF8"));
}

TEST_CASE("PostgreSQL: a database that is opened for reading only is not touched") {
  auto* server = test::Postgres::running();
  if (!server) return;
  DatabaseOptions options;
  options.url = server->new_database();
  options.read_only = true;
  auto database = must(Database::open(options));
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM pg_proc WHERE proname = 'folded'")) == 0);
  CHECK_FALSE(database->write([](Connection&) -> Result<void> { return {}; }));
}

namespace {

// Until it holds; false after 60 s.
bool comes_true(const std::function<bool()>& holds) {
  const auto latest = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (!holds() && std::chrono::steady_clock::now() < latest)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  return holds();
}

Result<void> write_one(Database& database) {
  return database.write([](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO thing DEFAULT VALUES"), {}));
    return {};
  });
}

Result<std::int64_t> read_one(Connection& reader) {
  CALLISTO_TRY(auto row, reader.query(Sql("SELECT count(*) FROM thing"), {}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? row->integer(0) : -1;
}

}  // namespace

TEST_CASE("PostgreSQL: a server that hangs costs 503, not for ever, and all goes on when it is back") {
  auto server = test::Postgres::make();
  if (!server) return;
  const std::string url = server->new_database();
  server->execute(name_of(url), "CREATE TABLE thing (id integer GENERATED ALWAYS AS IDENTITY)");
  auto database = open_with_writers(url, 2);
  auto reader = must(database->connect_reader());
  REQUIRE(write_one(*database));
  REQUIRE(must(read_one(*reader)) == 1);
  server->pause();
  auto waiting = std::async(std::launch::async, [&] { return write_one(*database); });
  const auto read = read_one(*reader);
  REQUIRE_FALSE(read);
  CHECK(read.error().status == 503);
  const auto written = waiting.get();
  REQUIRE_FALSE(written);
  CHECK(written.error().status == 503);
  CHECK(comes_true([&] { return !database->health().answers; }));
  for (int i = 0; i < 1000; ++i) REQUIRE_FALSE(read_one(*reader));  // each at once
  server->go_on();
  CHECK(comes_true([&] { return database->health().answers; }));
  CHECK(comes_true([&] { return read_one(*reader).has_value(); }));
  CHECK(comes_true([&] { return write_one(*database).has_value(); }));
}

TEST_CASE("PostgreSQL: a pooler that lends connections by transaction is refused with the cause and the mend") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  const test::DatabaseRelay pooler(url, test::DatabaseRelay::Way::ByTransaction);
  DatabaseOptions options;
  options.url = pooler.url();
  const auto refused = Database::open(options);
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().log_detail + refused.error().message, Catch::Contains("pool_mode = session"));
  const test::DatabaseRelay through(url);  // as one that lends them by session
  options.url = "postgres" + through.url().substr(std::string("postgresql").size());  // the scheme's other name
  CHECK(Database::is_postgres(options.url));
  CHECK(Database::open(options));
}

TEST_CASE("PostgreSQL: what is swallowed on the way costs 503, not for ever, and all goes on when the way is back") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  server->execute(name_of(url), "CREATE TABLE thing (id integer GENERATED ALWAYS AS IDENTITY)");
  test::DatabaseRelay relay(url);
  auto database = open_with_writers(relay.url(), 2);
  auto reader = must(database->connect_reader());
  REQUIRE(write_one(*database));
  relay.swallow(true);
  auto waiting = std::async(std::launch::async, [&] { return write_one(*database); });
  const auto read = read_one(*reader);
  REQUIRE_FALSE(read);
  CHECK(read.error().status == 503);
  const auto written = waiting.get();
  REQUIRE_FALSE(written);
  CHECK(written.error().status == 503);
  CHECK(comes_true([&] { return !database->health().answers; }));
  relay.swallow(false);
  CHECK(comes_true([&] { return read_one(*reader).has_value(); }));
  CHECK(comes_true([&] { return write_one(*database).has_value(); }));
}

TEST_CASE("PostgreSQL: what was swallowed a moment before the way came back does not wait for ever either") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  server->execute(name_of(url), "CREATE TABLE note (text text)");
  test::DatabaseRelay relay(url);
  auto database = open_with_writers(relay.url(), 1);
  std::promise<void> ready, begin;
  auto writing = std::async(std::launch::async, [&] {
    return database->write([&](Connection& connection) -> Result<void> {
      static const Sql sql("INSERT INTO note VALUES (?1)");
      CALLISTO_CHECK(connection.execute(sql, {std::string("short")}));
      ready.set_value();
      begin.get_future().wait();
      CALLISTO_CHECK(connection.execute(sql, {std::string(200'000, 'x')}));
      return {};
    });
  });
  ready.get_future().wait();
  relay.swallow(true);
  CHECK(comes_true([&] { return !database->health().answers; }));
  const std::size_t before = relay.swallowed();
  begin.set_value();
  CHECK(comes_true([&] { return relay.swallowed() > before + 150'000; }));
  relay.swallow(false);
  CHECK(writing.wait_for(std::chrono::seconds(30)) == std::future_status::ready);
  relay.lead_to(url);  // where it waits all the same: the end of it
  const auto written = writing.get();
  REQUIRE_FALSE(written);
  CHECK(written.error().status == 503);
}

TEST_CASE("PostgreSQL: wherever the way breaks off while it connects, there is an answer in time, and an end") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database();
  struct Attempt {
    explicit Attempt(const std::string& target) : relay(target) {}
    test::DatabaseRelay relay;
    std::unique_ptr<Database> database;
    std::vector<int> failures;  // statuses
    bool is_connected = false;

    void run(const std::string& target) {
      const auto note = [this](const auto& result) {
        if (!result) failures.push_back(result.error().status);
      };
      const auto reader = database->connect_reader();
      note(reader);
      is_connected = reader.has_value();
      relay.lead_to(target);  // whoever was connected connects anew, the watch too
      if (reader) note(read_one(**reader));
    }
  };
  std::vector<std::unique_ptr<Attempt>> attempts;
  std::vector<std::thread> threads;
  for (const std::size_t bytes : {0, 5, 60, 300, 360, 390, 410, 430, 450, 500, 600, 5000}) {
    auto& attempt = attempts.emplace_back(std::make_unique<Attempt>(url));
    attempt->database = open_with_writers(attempt->relay.url() + "&connect_timeout=2", 2);
    attempt->relay.swallow_after(bytes);
    threads.emplace_back([&attempt = *attempt, &url] {
      attempt.run(url);
      attempt.database.reset();
    });
  }
  for (std::thread& each : threads) each.join();
  for (const auto& attempt : attempts)
    for (const int status : attempt->failures) CHECK(status == 503);
  CHECK_FALSE(attempts.front()->is_connected);
  CHECK(attempts.back()->is_connected);
}

TEST_CASE("PostgreSQL: a server that takes no writes any more is given up, and found again when it does") {
  auto* server = test::Postgres::running();
  if (!server) return;
  const std::string url = server->new_database(), name = name_of(url);
  server->execute(name, "CREATE TABLE thing (id integer GENERATED ALWAYS AS IDENTITY)");
  auto database = open_with_writers(url, 2);
  auto reader = must(database->connect_reader());
  REQUIRE(write_one(*database));
  server->execute("postgres", "ALTER DATABASE " + name + " SET default_transaction_read_only = on");
  CHECK(comes_true([&] {
    end_all_connections(*server, url);
    return !database->health().takes_writes;
  }));
  const auto refused = write_one(*database);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().status == 503);
  CHECK(comes_true([&] { return read_one(*reader).has_value(); }));
  CHECK(database->health().answers);
  server->execute("postgres", "ALTER DATABASE " + name + " RESET default_transaction_read_only");
  CHECK(comes_true([&] { return write_one(*database).has_value(); }));
  CHECK(comes_true([&] { return database->health().takes_writes; }));
}
