// Connection over PostgreSQL: SOCI opens it; statements are prepared, kept and read on the native handle, where types
// are exact and rows come one at a time. A connection that was lost is made anew by the next statement outside a
// transaction. One thread at a time.
#pragma once

#include "engine/storage/database.h"
#include "engine/storage/postgres/cursor.h"
#include "engine/storage/postgres/error.h"
#include "engine/storage/postgres/statements.h"
#include "engine/storage/postgres/watch.h"
#include "engine/storage/soci_handle.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::storage {

class PostgresConnection;

// The connection of a Database on which counters change: its statements are no part of any transaction.
struct PostgresCounters {
  std::mutex mutex;
  std::unique_ptr<PostgresConnection> connection;
};

// How long a connection waits for its server, which is then taken to be gone.
struct PostgresPatience {
  PostgresWatch* watch = nullptr;  // outlives the connection; null: it waits for ever
  std::chrono::milliseconds longest_wait{};
  bool goes_by_health = false;  // and fails at once while the server is known not to answer
};

class PostgresConnection final : public Connection {
 public:
  // `settings`: SET statements of each new session. `counters` outlives this; null: it gives no ids.
  static Result<std::unique_ptr<PostgresConnection>> open(const std::string& url, std::string settings,
                                                          PostgresCounters* counters, const PostgresPatience& patience);
  ~PostgresConnection() override;

  Result<std::unique_ptr<Cursor>> query(const Sql& sql, const std::vector<Value>& values) override;
  Result<std::int64_t> execute(const Sql& sql, const std::vector<Value>& values) override;
  Result<void> run_script(std::string_view sql) override;
  Result<std::vector<std::string>> explain(const Sql& sql, const std::vector<Value>& values) override;
  Result<Examined> examine(const Sql& sql, const std::vector<Value>& values) override;
  Result<std::int64_t> next_ids(std::string_view table, std::int64_t count) override;
  Result<void> keep_ids_above(std::string_view table, std::int64_t used) override;
  Result<void> set_patience(std::chrono::milliseconds most) override;
  Result<void> limit_rows(std::optional<std::uint64_t> most) override;  // by their time
  bool has_met_row_limit() const override { return has_met_row_limit_; }
  const Dialect& dialect() const override;
  std::optional<Commits> commits() const override;
  void count_by(const std::atomic<std::uint64_t>& commits) { commits_ = &commits; }  // of a reader
  // Of a reader: what its settings say of statement_timeout.
  void note_deadline(std::chrono::milliseconds longest) { longest_ = patience_ = told_ = longest; }

  // One transaction around `function`, which sees the database as if nobody else wrote meanwhile.
  Result<void> write(const WriteFunction& function);
  // Why the last write() failed, where running it again may help.
  enum class Conflict { None, Serialization, Unique };
  Conflict conflict() const { return conflict_; }

  // For cursors.
  ResultPointer receive(const PostgresCursor& cursor);  // null: the answer has ended
  void close(const PostgresCursor& cursor);
  Error failure(const PGresult* result, std::string_view sql);

 private:
  PostgresConnection(std::string url, std::string settings, PostgresCounters* counters);
  Result<bool> begin_read() override;
  void end_read() override;
  Result<std::optional<std::int64_t>> count_apart(const Sql& sql, const std::vector<Value>& values);
  Result<void> connect();
  Result<void> set_up();
  bool is_alive() const;
  bool is_of_before() const;  // perhaps to a server that takes no writes any more
  Result<void> ready();       // for a statement
  void be_watched(const PostgresPatience& patience);
  PostgresWait::Guard waiting() { return {wait_, PQsocket(handle_), longest_wait_}; }
  Result<void> begin(std::string_view sql);
  Result<void> run(const WriteFunction& function);
  Result<void> commit();
  void roll_back();
  Result<void> leave_limit();
  Result<ResultPointer> command(std::string_view sql);
  Result<void> tell_when_to_stop();
  Result<void> tell_how_to_plan(bool once);

  std::string url_, settings_;
  PostgresCounters* counters_;
  std::optional<SociHandle> session_;
  PGconn* handle_ = nullptr;
  PostgresStatements statements_;
  PostgresCursor* reading_ = nullptr;  // whose rows the server is sending
  bool in_transaction_ = false;
  Conflict conflict_ = Conflict::None;
  bool plans_once_ = false, planned_once_before_ = false;       // what the server was told; before the transaction
  bool is_limited_ = false, planned_once_at_limit_ = false;     // behind a savepoint for row_time_; plans_once_ there
  std::optional<std::chrono::steady_clock::time_point> asked_;  // by a plan for all values, whose first row is to come
  // Of a reader: its own deadline, what it has at the moment, and what the server was told of it.
  std::chrono::milliseconds longest_{0}, patience_{0}, told_{0};
  std::optional<std::chrono::milliseconds> row_time_;  // that the rows have which may be examined
  bool has_met_row_limit_ = false;
  const std::atomic<std::uint64_t>* commits_ = nullptr;
  PostgresWatch* watch_ = nullptr;
  PostgresWait wait_;
  std::chrono::milliseconds longest_wait_ = std::chrono::hours(24 * 365);
  bool goes_by_health_ = false;
  std::uint64_t epoch_ = 0;  // of the watch, when it was connected
};

}  // namespace callisto::storage
