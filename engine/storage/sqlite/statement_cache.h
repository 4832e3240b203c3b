// Prepared statements of one connection, kept by SQL text; beyond `capacity` the least recently used go. A statement is
// never lent twice: asking for the same text meanwhile prepares a second copy, which is not kept. Leases must be
// destroyed before the cache, the cache before the connection. One thread at a time.
#pragma once

#include "engine/base/result.h"

#include <sqlite3.h>

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace callisto::storage {

struct StatementFinalizer {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using StatementPointer = std::unique_ptr<sqlite3_stmt, StatementFinalizer>;

class StatementCache {
  struct Entry {
    std::string sql;
    StatementPointer statement;
    bool lent = false;
  };

 public:
  // A statement for one use; reset and its values dropped at the end, so that it pins neither a snapshot nor memory.
  class Lease {
   public:
    Lease(Lease&& other) noexcept : entry_(std::exchange(other.entry_, nullptr)), copy_(std::move(other.copy_)) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease();
    sqlite3_stmt* get() const { return entry_ ? entry_->statement.get() : copy_.get(); }

   private:
    friend class StatementCache;
    explicit Lease(Entry* entry) : entry_(entry) { entry->lent = true; }
    explicit Lease(StatementPointer copy) : copy_(std::move(copy)) {}
    Entry* entry_ = nullptr;
    StatementPointer copy_;
  };

  explicit StatementCache(sqlite3* db, std::size_t capacity = 256) : db_(db), capacity_(capacity) {}
  Result<Lease> borrow(std::string_view sql);
  std::size_t size() const { return entries_.size(); }

 private:
  Result<StatementPointer> prepare(std::string_view sql);
  void make_room();

  sqlite3* db_;
  std::size_t capacity_;
  std::list<Entry> entries_;                                                 // most recently used first
  std::unordered_map<std::string_view, std::list<Entry>::iterator> by_sql_;  // views into entries_
};

}  // namespace callisto::storage
