#include "engine/storage/sqlite/statement_cache.h"

#include <catch2/catch.hpp>

#include <optional>
#include <string>
#include <vector>

using namespace callisto::storage;

namespace {

struct MemoryDatabase {
  MemoryDatabase() { REQUIRE(sqlite3_open(":memory:", &db) == SQLITE_OK); }
  ~MemoryDatabase() { sqlite3_close(db); }
  sqlite3* db = nullptr;
};

std::string select(int n) { return "SELECT " + std::to_string(n); }

sqlite3_stmt* statement_of(StatementCache& cache, const std::string& sql) {
  auto lease = cache.borrow(sql);
  REQUIRE(lease);
  return lease->get();
}

}  // namespace

TEST_CASE("statements are kept up to the limit and the least recently used goes first") {
  MemoryDatabase memory;
  StatementCache cache(memory.db, 3);
  auto* first = statement_of(cache, select(1));
  statement_of(cache, select(2));
  statement_of(cache, select(3));
  CHECK(statement_of(cache, select(1)) == first);
  for (int n = 4; n < 50; ++n) {
    statement_of(cache, select(n));
    CHECK(statement_of(cache, select(1)) == first);  // used again each time, so it stays
    CHECK(cache.size() == 3);
  }
}

TEST_CASE("by default a connection keeps 256 statements") {
  MemoryDatabase memory;
  StatementCache cache(memory.db);
  for (int n = 0; n < 1000; ++n) statement_of(cache, select(n));
  CHECK(cache.size() == 256);
}

TEST_CASE("a lent statement is neither lent again nor dropped") {
  MemoryDatabase memory;
  StatementCache cache(memory.db, 2);
  auto lent = cache.borrow(select(0));
  REQUIRE(lent);
  REQUIRE(sqlite3_step(lent->get()) == SQLITE_ROW);
  CHECK(statement_of(cache, select(0)) != lent->get());
  for (int n = 1; n < 10; ++n) statement_of(cache, select(n));
  CHECK(sqlite3_column_int(lent->get(), 0) == 0);
  CHECK(sqlite3_step(lent->get()) == SQLITE_DONE);
  CHECK(cache.size() == 2);
}

TEST_CASE("more statements in use than the limit are all served and the surplus goes afterwards") {
  MemoryDatabase memory;
  StatementCache cache(memory.db, 2);
  {
    std::vector<StatementCache::Lease> leases;
    for (int n = 0; n < 5; ++n) {
      auto lease = cache.borrow(select(n));
      REQUIRE(lease);
      leases.push_back(*std::move(lease));
    }
    CHECK(cache.size() == 5);
  }
  statement_of(cache, select(9));
  CHECK(cache.size() == 2);
}

TEST_CASE("what does not compile is an error and is not kept") {
  MemoryDatabase memory;
  StatementCache cache(memory.db);
  CHECK_FALSE(cache.borrow("SELEC 1"));
  CHECK_FALSE(cache.borrow("  "));
  CHECK(cache.size() == 0);
}
