#include "engine/storage/sqlite/writer.h"
#include "engine/storage/migrate.h"
#include "tests/unit/storage/support.h"

#include <sqlite3.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <limits>
#include <stdexcept>
#include <thread>

using namespace callisto;
using namespace callisto::storage;

namespace {

Result<void> insert(Connection& connection, std::int64_t n) {
  CALLISTO_CHECK(connection.execute(Sql("INSERT INTO t VALUES (?1)"), {n}));
  return {};
}

// How many of them fail. The writer is held until all are queued behind it.
int failures_together(Database& database, const std::vector<WriteFunction>& writes) {
  std::promise<void> started, go;
  std::thread first([&] {
    must(database.write([&](Connection&) -> Result<void> {
      started.set_value();
      go.get_future().wait();
      return {};
    }));
  });
  started.get_future().wait();
  std::vector<std::future<Result<void>>> waiting;
  for (const WriteFunction& write : writes)
    waiting.push_back(std::async(std::launch::async, [&] { return database.write(write); }));
  while (database.commits() && database.writer_load().queued < writes.size()) std::this_thread::yield();
  go.set_value();
  first.join();
  return static_cast<int>(std::count_if(waiting.begin(), waiting.end(), [](auto& each) { return !each.get(); }));
}

}  // namespace

TEST_CASE("writes of many threads all land, and a failing one undoes only itself") {
  TestFolder folder;
  auto urls = fresh_urls();
  urls.front() = "sqlite:" + (folder / "desk.db");
  auto database = open_database(GENERATE_COPY(from_range(urls)));
  write_script(*database, "CREATE TABLE t (n BIGINT PRIMARY KEY)");
  constexpr int threads = 32, writes = 50;
  std::atomic<int> refused{0}, wrong{0};
  std::vector<std::thread> clients;
  for (int client = 0; client < threads; ++client)
    clients.emplace_back([&, client] {
      for (int i = 0; i < writes; ++i) {
        const bool fails = i % 10 == 7;
        auto written = database->write([&](Connection& connection) -> Result<void> {
          CALLISTO_CHECK(insert(connection, client * 1000 + i));
          if (fails) return bad_format("not this one");
          return {};
        });
        if (written.has_value() == fails) ++wrong;
        if (!written && written.error().status == 400) ++refused;
      }
    });
  for (std::thread& client : clients) client.join();
  CHECK(wrong == 0);
  CHECK(refused == threads * writes / 10);
  auto reader = must(database->connect_reader());
  CHECK(number(*reader, Sql("SELECT count(*) FROM t")) == threads * writes * 9 / 10);
  CHECK(number(*reader, Sql("SELECT count(*) FROM t WHERE n % 10 = 7")) == 0);
}

TEST_CASE("writes that wait together share a commit, and their failures stay apart") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database, "CREATE TABLE t (n BIGINT PRIMARY KEY)");
  std::vector<WriteFunction> inserts;
  for (std::int64_t n : {1, 2, 2, 3}) inserts.push_back([n](Connection& connection) { return insert(connection, n); });
  CHECK(failures_together(*database, inserts) == 1);  // one of the two that wanted the same key
  CHECK(texts(*must(database->connect_reader()), Sql("SELECT n FROM t ORDER BY n")) ==
        std::vector<std::string>{"1", "2", "3"});
}

TEST_CASE("keys that a failed write took are given again to the next of its group, and none twice") {
  auto database = open_database("sqlite::memory:");
  must(apply(*database, engine_migrations(), {}, DateTime{}));
  write_script(*database, "CREATE TABLE t (n BIGINT PRIMARY KEY)");
  const WriteFunction takes = [](Connection& connection) -> Result<void> {
    CALLISTO_TRY(const std::int64_t id, connection.next_ids("t", 1));
    return insert(connection, id);
  };
  const WriteFunction fails_early = [](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.next_ids("t", 100));
    CALLISTO_CHECK(connection.next_ids("other", 100));
    return bad_format("not this one");
  };
  const WriteFunction fails_late = [&](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(takes(connection));
    return bad_format("nor this one");
  };
  const auto ids = [&] { return texts(*must(database->connect_reader()), Sql("SELECT n FROM t ORDER BY n")); };
  CHECK(failures_together(*database, {takes, fails_early, takes}) == 1);
  CHECK(ids() == std::vector<std::string>{"1", "2"});
  CHECK(failures_together(*database, {takes, fails_late, fails_early, takes}) == 2);
  CHECK(ids() == std::vector<std::string>{"1", "2", "3", "4"});
  CHECK(failures_together(*database, {takes, fails_late, takes}) == 1);  // with savepoints from the start
  CHECK(ids() == std::vector<std::string>{"1", "2", "3", "4", "5", "6"});
  must(database->write([](Connection& connection) -> Result<void> {
    CHECK(must(connection.next_ids("other", 1)) == 1);
    must(connection.keep_ids_above("other", std::numeric_limits<std::int64_t>::max()));
    CHECK_FALSE(connection.next_ids("other", 1));
    return {};
  }));
}

TEST_CASE("a table has another version once a row of it has changed, or a change was undone") {
  TestFolder folder;
  SqliteWriter writer(must(SqliteConnection::open_writer(folder / "desk.db", true)));
  must(writer.write([](Connection& connection) {
    return connection.run_script("CREATE TABLE t (n BIGINT PRIMARY KEY); CREATE TABLE other (n BIGINT)");
  }));
  const auto version = [&] {
    std::optional<std::uint64_t> found;
    must(writer.write([&](Connection& connection) { return found = connection.version_of("t"), Result<void>(); }));
    REQUIRE(found);
    return *found;
  };
  std::uint64_t last = version();
  const auto is_new = [&] { return std::exchange(last, version()) != last; };
  CHECK_FALSE(is_new());
  must(writer.write([](Connection& connection) { return insert(connection, 1); }));
  CHECK(is_new());
  must(writer.write([](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO other VALUES (1)"), {}));
    return {};
  }));
  CHECK_FALSE(is_new());
  for (const char* change : {"UPDATE t SET n = 2", "DELETE FROM t WHERE n = 2"}) {
    must(writer.write([change](Connection& connection) { return connection.run_script(change); }));
    CHECK(is_new());
  }
  must(writer.write([](Connection& connection) -> Result<void> {
    CALLISTO_TRY(Savepoint part, Savepoint::begin(connection));
    CALLISTO_CHECK(insert(connection, 3));
    const auto changed = connection.version_of("t");
    CALLISTO_CHECK(part.roll_back());
    CHECK(changed != connection.version_of("t"));
    return {};
  }));
  CHECK(is_new());
  std::optional<std::uint64_t> changed;
  CHECK_FALSE(writer.write([&](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(insert(connection, 4));
    changed = connection.version_of("t");
    return bad_format("undo it");
  }));
  CHECK(changed != version());
}

TEST_CASE("readers see another version of a table once a change of it is committed, and of that table alone") {
  TestFolder folder;
  SqliteWriter writer(must(SqliteConnection::open_writer(folder / "desk.db", true)));
  must(writer.write([](Connection& connection) {
    return connection.run_script("CREATE TABLE t (n BIGINT); CREATE TABLE other (n BIGINT)");
  }));
  auto reader = must(SqliteConnection::open_reader(folder / "desk.db", 1000, std::chrono::seconds(10)));
  CHECK_FALSE(reader->version_of("t"));  // it does not know who writes
  reader->take_part(writer.traffic());
  const auto versions = [&] { return std::pair(*reader->version_of("t"), *reader->version_of("other")); };
  auto last = versions();
  must(writer.write([&](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(insert(connection, 1));
    CHECK(versions() == last);
    return {};
  }));
  CHECK(versions().first != last.first);
  CHECK(versions().second == last.second);
  last = versions();
  CHECK_FALSE(writer.write([](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(insert(connection, 2));
    return bad_format("undo it");
  }));
  CHECK(versions() == last);
  must(writer.write([](Connection& connection) { return connection.run_script("DELETE FROM t WHERE n = 1"); }));
  CHECK(versions().first != last.first);
}

TEST_CASE("while many read, writes wait for each other's commit; who writes alone waits for nobody") {
  TestFolder folder;
  SqliteWriter writer(must(SqliteConnection::open_writer(folder / "desk.db", true)), std::chrono::hours(1));
  must(writer.write([](Connection& connection) { return connection.run_script("CREATE TABLE t (n BIGINT)"); }));
  auto reader = must(SqliteConnection::open_reader(folder / "desk.db", 1000, std::chrono::seconds(10)));
  reader->take_part(writer.traffic());
  const auto read_much = [&] {
    for (int i = 0; i < 200; ++i) CHECK(number(*reader, Sql("SELECT count(*) FROM t")) >= 0);
  };
  const auto write = [&](std::int64_t n) {
    if (!writer.write([n](Connection& connection) { return insert(connection, n); })) std::abort();
  };
  for (std::int64_t n = 0; n < 3; ++n) {
    read_much();
    write(n);
  }
  CHECK(writer.traffic().commits == 4);

  std::promise<void> started, go;
  std::vector<std::jthread> clients;
  clients.emplace_back([&] {
    must(writer.write([&](Connection&) -> Result<void> {
      started.set_value();
      go.get_future().wait();
      return {};
    }));
  });
  started.get_future().wait();
  for (std::int64_t n = 3; n < 5; ++n) clients.emplace_back(write, n);
  while (writer.load().queued < 2) std::this_thread::yield();
  read_much();
  go.set_value();
  clients.front().join();
  for (std::size_t n = 2; n < SqliteWriter::most_in_a_group; ++n) clients.emplace_back(write, 3 + static_cast<int>(n));
  clients.clear();
  CHECK(writer.traffic().commits == 6);  // one for the last hundred and more
}

TEST_CASE("what shares a commit runs again only where one of it failed after it had written") {
  auto database = open_database("sqlite::memory:");
  write_script(*database, "CREATE TABLE t (n BIGINT PRIMARY KEY)");
  int runs = 0;
  const WriteFunction writes = [&](Connection& connection) { return insert(connection, ++runs); };
  const WriteFunction refuses = [](Connection& connection) -> Result<void> {
    CHECK(number(connection, Sql("SELECT count(*) FROM t")) >= 0);
    return bad_format("not this one");
  };
  int failures = 0;
  const WriteFunction writes_and_fails = [&](Connection& connection) -> Result<void> {
    ++failures;
    CALLISTO_CHECK(insert(connection, -1));
    return bad_format("not this one");
  };
  CHECK(failures_together(*database, {writes, refuses, writes}) == 1);
  CHECK(runs == 2);
  CHECK(failures_together(*database, {writes, writes, writes_and_fails}) == 1);
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t")) == 4);
  const int before = runs;
  CHECK(before >= 4);  // those that came before the failure, once more
  CHECK(failures_together(*database, {writes, writes_and_fails, writes}) == 1);
  CHECK(runs == before + 2);  // behind a failure savepoints are there at once
  CHECK(failures == 2);       // what failed is not tried again
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t WHERE n < 0")) == 0);
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t")) == 6);
}

TEST_CASE("a failed statement behind a savepoint may be handled by the write itself") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database, "CREATE TABLE t (n BIGINT PRIMARY KEY)");
  must(database->write([](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(insert(connection, 1));
    CALLISTO_CHECK(connection.execute(Sql("SAVEPOINT before"), {}));
    CHECK_FALSE(insert(connection, 1));
    CALLISTO_CHECK(connection.execute(Sql("ROLLBACK TO before"), {}));
    return insert(connection, 2);
  }));
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t")) == 2);
}

TEST_CASE("an exception in a write undoes it and the writer goes on") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database, "CREATE TABLE t (n BIGINT)");
  auto thrown = database->write([](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(insert(connection, 1));
    throw std::runtime_error("surprise");
  });
  REQUIRE_FALSE(thrown);
  CHECK(thrown.error().status == 500);
  CHECK_THAT(thrown.error().log_detail, Catch::Contains("surprise"));
  must(database->write([](Connection& connection) { return insert(connection, 2); }));
  CHECK(texts(*must(database->connect_reader()), Sql("SELECT n FROM t")) == std::vector<std::string>{"2"});
}

TEST_CASE("a write inside a write is refused instead of waiting for ever") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  must(database->write([&](Connection&) -> Result<void> {
    CHECK_FALSE(database->write([](Connection&) -> Result<void> { return {}; }));
    return {};
  }));
}

TEST_CASE("a write that ends the transaction is told so") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  CHECK_FALSE(database->write([](Connection& connection) { return connection.run_script("COMMIT"); }));
  write_script(*database, "CREATE TABLE t (n BIGINT)");
}

TEST_CASE("foreign keys are enforced") {
  auto database = open_database(GENERATE(from_range(fresh_urls())));
  write_script(*database, "CREATE TABLE p (id BIGINT PRIMARY KEY); CREATE TABLE t (p BIGINT REFERENCES p (id));");
  CHECK_FALSE(database->write([](Connection& connection) { return insert(connection, 9); }));
}

namespace {

// Some 500 pages to the log.
void write_pages(Database& database) {
  write_script(database,
               "WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 500) "
               "INSERT INTO t SELECT i, hex(zeroblob(2000)) FROM c");
}

constexpr std::uintmax_t frame_bytes = 4120;

}  // namespace

TEST_CASE("a log that a reader kept from beginning anew does so soon after") {
  TestFolder folder;
  const std::string path = folder / "desk.db";
  auto database = open_database("sqlite:" + path);
  write_script(*database, "CREATE TABLE t (n BIGINT, text TEXT); INSERT INTO t VALUES (0, '');");
  auto reader = must(database->connect_reader());
  auto cursor = must(reader->query(Sql("SELECT n FROM t"), {}));
  REQUIRE(must(cursor->step()));
  const auto size = [&] { return std::filesystem::file_size(path + "-wal"); };
  while (size() < 13'000 * frame_bytes) write_pages(*database);
  cursor.reset();
  for (int i = 0; i < 10; ++i) write_pages(*database);
  CHECK(size() < 15'000 * frame_bytes);
}

TEST_CASE("the log begins anew while readers follow each other") {
  TestFolder folder;
  const std::string path = folder / "desk.db";
  auto database = open_database("sqlite:" + path);
  write_script(*database, "CREATE TABLE t (n BIGINT, text TEXT); INSERT INTO t VALUES (0, '');");
  std::atomic<bool> done{false};
  std::atomic<int> failures{0};
  std::vector<std::thread> clients;
  for (int i = 0; i < 2; ++i)
    clients.emplace_back([&] {
      auto reader = database->connect_reader();
      while (!done) {
        auto cursor = (*reader)->query(Sql("SELECT n FROM t"), {});  // never read to its end
        if (!cursor || !(*cursor)->step()) ++failures;
      }
    });
  std::uintmax_t largest = 0;
  for (int i = 0; i < 40; ++i) {  // 500 pages each
    write_pages(*database);
    largest = std::max(largest, std::filesystem::file_size(path + "-wal"));
  }
  done = true;
  for (std::thread& client : clients) client.join();
  CHECK(failures == 0);
  CHECK(number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t")) == 20'001);
  CHECK(largest < 14'000 * frame_bytes);  // of more than 20,000 frames that were written
}

TEST_CASE("a closed cursor pins no snapshot, so that the log can be emptied") {
  TestFolder folder;
  const std::string path = folder / "desk.db";
  auto database = open_database("sqlite:" + path);
  write_script(*database, "CREATE TABLE t (n BIGINT); INSERT INTO t VALUES (1), (2);");
  auto reader = must(database->connect_reader());
  auto checkpoint_busy = [&] {  // 1: a reader is in the way
    sqlite3* db = nullptr;
    REQUIRE(sqlite3_open(path.c_str(), &db) == SQLITE_OK);
    // A connection notices the log with its first read.
    REQUIRE(sqlite3_exec(db, "SELECT count(*) FROM t", nullptr, nullptr, nullptr) == SQLITE_OK);
    const int code = sqlite3_wal_checkpoint_v2(db, nullptr, SQLITE_CHECKPOINT_RESTART, nullptr, nullptr);
    sqlite3_close(db);
    return code == SQLITE_BUSY;
  };
  auto cursor = must(reader->query(Sql("SELECT n FROM t"), {}));
  REQUIRE(must(cursor->step()));
  write_script(*database, "INSERT INTO t VALUES (3)");
  CHECK(checkpoint_busy());
  cursor.reset();
  CHECK_FALSE(checkpoint_busy());
}
