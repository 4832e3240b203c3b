#include "engine/storage/sqlite/statement_cache.h"

#include "engine/storage/sqlite/error.h"

#include <algorithm>
#include <iterator>

namespace callisto::storage {

StatementCache::Lease::~Lease() {
  if (!entry_) return;
  sqlite3_reset(entry_->statement.get());
  sqlite3_clear_bindings(entry_->statement.get());
  entry_->lent = false;
}

Result<StatementCache::Lease> StatementCache::borrow(std::string_view sql) {
  if (auto found = by_sql_.find(sql); found != by_sql_.end()) {
    if (found->second->lent) {
      CALLISTO_TRY(StatementPointer copy, prepare(sql));
      return Lease(std::move(copy));
    }
    entries_.splice(entries_.begin(), entries_, found->second);
    return Lease(&entries_.front());
  }
  CALLISTO_TRY(StatementPointer statement, prepare(sql));
  make_room();
  entries_.push_front({std::string(sql), std::move(statement)});
  by_sql_.emplace(entries_.front().sql, entries_.begin());
  return Lease(&entries_.front());
}

Result<StatementPointer> StatementCache::prepare(std::string_view sql) {
  sqlite3_stmt* raw = nullptr;
  const auto size = static_cast<int>(sql.size());
  const int code = sqlite3_prepare_v3(db_, sql.data(), size, SQLITE_PREPARE_PERSISTENT, &raw, nullptr);
  StatementPointer statement(raw);
  if (code != SQLITE_OK) return sqlite_error(db_, code, sql);
  if (!statement) return internal("empty SQL statement");
  return statement;
}

void StatementCache::make_room() {
  while (entries_.size() >= capacity_) {
    auto last_free = std::find_if(entries_.rbegin(), entries_.rend(), [](const Entry& entry) { return !entry.lent; });
    if (last_free == entries_.rend()) return;  // all of them in use: grow for now
    auto entry = std::prev(last_free.base());
    by_sql_.erase(entry->sql);
    entries_.erase(entry);
  }
}

}  // namespace callisto::storage
