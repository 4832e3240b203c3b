// Disks that fail: a file system of SQLite that refuses to flush or to write when told so, and counts what is written.
#include "tests/unit/storage/support.h"

#include <sqlite3.h>

#include <atomic>
#include <map>
#include <mutex>

using namespace callisto;
using namespace callisto::storage;

namespace {

std::atomic<int> flush_answer{SQLITE_OK};
std::atomic<int> write_answer{SQLITE_OK};
std::atomic<int> writes{0};
sqlite3_vfs faulty_vfs;

// The real file system has one table of methods for databases and one for logs; both flush and write the same way.
std::mutex methods_mutex;
std::map<const sqlite3_io_methods*, sqlite3_io_methods> faulty_methods;
int (*real_flush)(sqlite3_file*, int) = nullptr;
int (*real_write)(sqlite3_file*, const void*, int, sqlite3_int64) = nullptr;

int faulty_flush(sqlite3_file* file, int flags) {
  return flush_answer != SQLITE_OK ? flush_answer.load() : real_flush(file, flags);
}

int faulty_write(sqlite3_file* file, const void* data, int size, sqlite3_int64 offset) {
  ++writes;
  return write_answer != SQLITE_OK ? write_answer.load() : real_write(file, data, size, offset);
}

int faulty_open(sqlite3_vfs*, const char* name, sqlite3_file* file, int flags, int* out_flags) {
  auto* real = static_cast<sqlite3_vfs*>(faulty_vfs.pAppData);
  const int code = real->xOpen(real, name, file, flags, out_flags);
  if (code != SQLITE_OK) return code;
  std::lock_guard lock(methods_mutex);
  auto [methods, added] = faulty_methods.emplace(file->pMethods, *file->pMethods);
  if (added) {
    real_flush = methods->second.xSync;
    real_write = methods->second.xWrite;
    methods->second.xSync = faulty_flush;
    methods->second.xWrite = faulty_write;
  }
  file->pMethods = &methods->second;
  return code;
}

// Its files are those of the real file system; only their methods are exchanged.
class FaultyDisk {
 public:
  FaultyDisk() {
    real_ = sqlite3_vfs_find(nullptr);
    faulty_vfs = *real_;
    faulty_vfs.zName = "faulty";
    faulty_vfs.pNext = nullptr;
    faulty_vfs.pAppData = real_;
    faulty_vfs.xOpen = faulty_open;
    flush_answer = write_answer = SQLITE_OK;
    REQUIRE(sqlite3_vfs_register(&faulty_vfs, 1) == SQLITE_OK);
  }
  ~FaultyDisk() {
    sqlite3_vfs_unregister(&faulty_vfs);
    sqlite3_vfs_register(real_, 1);
  }

 private:
  sqlite3_vfs* real_;
};

Result<void> insert(Database& database, std::int64_t n) {
  return database.write([n](Connection& connection) -> Result<void> {
    CALLISTO_CHECK(connection.execute(Sql("INSERT INTO t VALUES (?1)"), {n}));
    return {};
  });
}

std::vector<std::string> rows(Database& database) {
  return texts(*must(database.connect_reader()), Sql("SELECT n FROM t ORDER BY n"));
}

}  // namespace

TEST_CASE("after a flush that failed nothing is written any more, while reading goes on") {
  TestFolder folder;
  FaultyDisk disk;
  {
    auto database = open_database("sqlite:" + (folder / "desk.db"));
    write_script(*database, "CREATE TABLE t (n BIGINT)");
    must(insert(*database, 1));
    flush_answer = SQLITE_IOERR_FSYNC;
    const WriterLoad before = database->writer_load();
    auto failed = insert(*database, 2);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().status == 500);
    CHECK(database->writer_load().commits == before.commits);
    CHECK(database->writer_load().writes == before.writes + 1);
    flush_answer = SQLITE_OK;  // trying again would seem to work: the kernel forgets what it could not write
    auto refused = insert(*database, 3);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().status == 500);
    CHECK_THAT(refused.error().log_detail, Catch::Contains("writing has stopped"));
    CHECK(rows(*database) == std::vector<std::string>{"1"});
  }
  auto database = open_database("sqlite:" + (folder / "desk.db"));
  must(insert(*database, 4));
}

TEST_CASE("a full disk fails the writes it meets and writing goes on when there is room again") {
  TestFolder folder;
  FaultyDisk disk;
  auto database = open_database("sqlite:" + (folder / "desk.db"));
  write_script(*database, "CREATE TABLE t (n BIGINT)");
  must(insert(*database, 1));
  write_answer = SQLITE_FULL;
  for (std::int64_t n : {2, 3}) {
    auto failed = insert(*database, n);
    REQUIRE_FALSE(failed);
    CHECK(failed.error().status == 500);
    CHECK(rows(*database) == std::vector<std::string>{"1"});
  }
  write_answer = SQLITE_OK;
  must(insert(*database, 4));
  CHECK(rows(*database) == std::vector<std::string>{"1", "4"});
}

TEST_CASE("a commit's pages go to the log by few calls, and are there for others and for itself") {
  TestFolder folder;
  FaultyDisk disk;
  auto database = open_database("sqlite:" + (folder / "desk.db"));
  write_script(*database, "CREATE TABLE t (n BIGINT, bytes BLOB)");
  const auto fill = [&](int rows) {
    return database->write([rows](Connection& connection) -> Result<void> {
      CALLISTO_CHECK(
          connection.execute(Sql("WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?1) "
                                 "INSERT INTO t SELECT i, zeroblob(3000) FROM c"),
                             {Value(std::int64_t{rows})}));
      CHECK(number(connection, Sql("SELECT count(*) FROM t WHERE length(bytes) = 3000")) == rows);
      return {};
    });
  };
  const auto count = [&] { return number(*must(database->connect_reader()), Sql("SELECT count(*) FROM t")); };
  SECTION("a small one") {
    writes = 0;
    must(fill(500));
    CHECK(writes < 50);  // of more than 500 pages, two calls each
    CHECK(count() == 500);
  }
  SECTION("one that is larger than its cache, so that it reads its own pages from the log") {
    must(fill(20'000));
    CHECK(count() == 20'000);
    CHECK(texts(*must(database->connect_reader()), Sql("PRAGMA integrity_check")) == std::vector<std::string>{"ok"});
  }
  SECTION("one whose pages find no room") {
    write_answer = SQLITE_FULL;
    CHECK_FALSE(fill(20'000));
    write_answer = SQLITE_OK;
    CHECK(count() == 0);
    must(fill(500));
    CHECK(count() == 500);
  }
}
