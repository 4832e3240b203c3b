// Connection over SQLite: SOCI opens it, statements are prepared, kept and stepped on the native handle, where types
// are exact and nothing is copied (decision 0007). One thread at a time.
#pragma once

#include "engine/storage/database.h"
#include "engine/storage/soci_handle.h"
#include "engine/storage/sqlite/cursor.h"
#include "engine/storage/sqlite/statement_cache.h"

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <shared_mutex>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::storage {

void configure_sqlite();  // before anything else of SQLite's is called; any thread

using Versions = std::map<std::string, std::uint64_t, std::less<>>;  // by table

// What those who read a database and the one who writes it tell each other. Any thread.
struct Traffic {
  std::atomic<std::uint64_t> commits = 0;
  std::atomic<std::uint64_t> reads = 0;  // statements

  std::uint64_t version_of(std::string_view table) const;
  void publish(const Versions& changed);  // behind a commit, before it is counted

 private:
  mutable std::shared_mutex mutex_;
  Versions versions_;  // of what is committed
  std::uint64_t newest_ = 0;
};

class SqliteConnection final : public Connection {
 public:
  // `durable` false: the database is thrown away anyway, so no flush is waited for.
  static Result<std::unique_ptr<SqliteConnection>> open_writer(const std::string& path, bool durable);
  static Result<std::unique_ptr<SqliteConnection>> open_reader(const std::string& path, std::size_t cache_kib,
                                                               std::chrono::milliseconds deadline);

  Result<std::unique_ptr<Cursor>> query(const Sql& sql, const std::vector<Value>& values) override;
  Result<std::int64_t> execute(const Sql& sql, const std::vector<Value>& values) override;
  Result<void> run_script(std::string_view sql) override;
  Result<std::vector<std::string>> explain(const Sql& sql, const std::vector<Value>& values) override;
  Result<Examined> examine(const Sql& sql, const std::vector<Value>& values) override;
  // Counted in memory while the transaction runs: one statement for all keys of a table that it took.
  Result<std::int64_t> next_ids(std::string_view table, std::int64_t count) override;
  Result<void> keep_ids_above(std::string_view table, std::int64_t used) override;
  Result<void> store_ids();            // before the commit
  void forget_ids() { ids_.clear(); }  // after the transaction
  IdCounters id_counters() const override { return ids_; }
  void set_id_counters(const IdCounters& counters) { ids_ = counters; }
  void go_back_to(const IdCounters& counters) override;
  Result<void> set_patience(std::chrono::milliseconds most) override;
  Result<void> limit_rows(std::optional<std::uint64_t> most) override;
  bool has_met_row_limit() const override { return looks_left_ && *looks_left_ == 0; }
  const Dialect& dialect() const override;
  std::optional<Commits> commits() const override;
  // Rows of a table WITHOUT ROWID are not seen to change, nor is a table emptied as a whole.
  std::optional<std::uint64_t> version_of(std::string_view table) const override;

  void take_part(Traffic& traffic) { traffic_ = &traffic; }  // which outlives this

  sqlite3* handle() const { return db_; }
  bool in_transaction() const { return sqlite3_get_autocommit(db_) == 0; }
  // Whether a statement that may write was given since forget_writes(), whatever became of it.
  bool has_written() const { return has_written_; }
  void forget_writes() { has_written_ = false; }
  const Versions& changed_at() const { return changed_at_; }  // of the one that writes
  const StatementCache& statements() const { return statements_; }

 private:
  explicit SqliteConnection(SociHandle session);
  Result<IdCounter*> id_counter(std::string_view table);
  Result<bool> begin_read() override;
  void end_read() override;
  Result<void> prepare_common();
  void arm_deadline(std::chrono::milliseconds deadline);
  Result<StatementCache::Lease> bind(const Sql& sql, const std::vector<Value>& values, Texts texts);
  static int must_stop(void* self);
  static void note_change(void* self, int, const char*, const char* table, sqlite3_int64);
  static void note_rollback(void* self);

  Traffic* traffic_ = nullptr;
  SociHandle session_;
  sqlite3* db_;
  StatementCache statements_;
  bool has_written_ = false;
  IdCounters ids_;  // of the running transaction
  bool writes_ = false;
  std::uint64_t changes_ = 0, undone_at_ = 0;  // of rows; so many when the last ones were undone
  Versions changed_at_;
  std::chrono::milliseconds longest_{0};     // of a reader
  std::chrono::milliseconds deadline_{0};    // the same or less, for those who have had much
  std::optional<std::uint64_t> looks_left_;  // until as many rows are examined as may be
  std::chrono::nanoseconds rows_due_{0};     // of the thread's own time, which others do not take from it
  std::chrono::steady_clock::time_point stop_at_;
};

}  // namespace callisto::storage
