// Connection over PostgreSQL: SOCI opens it; statements are prepared, kept and read on the native handle, where types
// are exact and rows come one at a time. A connection that was lost is made anew by the next statement outside a
// transaction. One thread at a time.
#pragma once

#include "engine/storage/database.h"
#include "engine/storage/postgres_cursor.h"
#include "engine/storage/postgres_error.h"
#include "engine/storage/postgres_statements.h"
#include "engine/storage/soci_handle.h"

#include <atomic>
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

class PostgresConnection final : public Connection {
 public:
  // `settings`: SET statements of each new session. `counters` outlives this; null: it gives no ids.
  static Result<std::unique_ptr<PostgresConnection>> open(const std::string& url, std::string settings,
                                                          PostgresCounters* counters);

  Result<std::unique_ptr<Cursor>> query(const Sql& sql, const std::vector<Value>& values) override;
  Result<std::int64_t> execute(const Sql& sql, const std::vector<Value>& values) override;
  Result<void> run_script(std::string_view sql) override;
  Result<std::vector<std::string>> explain(const Sql& sql, const std::vector<Value>& values) override;
  Result<std::int64_t> next_ids(std::string_view table, std::int64_t count) override;
  Result<void> keep_ids_above(std::string_view table, std::int64_t used) override;
  const Dialect& dialect() const override;
  std::optional<Commits> commits() const override;
  void count_by(const std::atomic<std::uint64_t>& commits) { commits_ = &commits; }  // of a reader

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
  Result<void> ready();  // for a statement
  Result<void> begin(std::string_view sql);
  Result<void> run(const WriteFunction& function);
  Result<void> commit();
  void roll_back();
  Result<ResultPointer> command(std::string_view sql);

  std::string url_, settings_;
  PostgresCounters* counters_;
  std::optional<SociHandle> session_;
  PGconn* handle_ = nullptr;
  PostgresStatements statements_;
  PostgresCursor* reading_ = nullptr;  // whose rows the server is sending
  bool in_transaction_ = false;
  Conflict conflict_ = Conflict::None;
  const std::atomic<std::uint64_t>* commits_ = nullptr;
};

}  // namespace callisto::storage
