// How the floor asks SQLite: by raw sqlite3, each question prepared and bound once per connection. One thread at a
// time.
#pragma once

#include "engine/storage/sqlite/cursor.h"
#include "engine/storage/sqlite/functions.h"
#include "tests/bench/floor_question.h"

#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

namespace callisto::bench {

// A statement's rows, one after the other.
class SqliteRows {
 public:
  explicit SqliteRows(sqlite3_stmt* statement) : statement_(statement) {}
  SqliteRows(const SqliteRows&) = delete;
  SqliteRows& operator=(const SqliteRows&) = delete;
  ~SqliteRows() { sqlite3_reset(statement_); }

  bool next() { return sqlite3_step(statement_) == SQLITE_ROW; }
  bool is_null(std::size_t column) const { return sqlite3_column_type(statement_, index(column)) == SQLITE_NULL; }
  std::int64_t integer(std::size_t column) const { return sqlite3_column_int64(statement_, index(column)); }
  double real(std::size_t column) const { return sqlite3_column_double(statement_, index(column)); }
  std::string_view text(std::size_t column) const {
    const auto* data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, index(column)));
    return {data ? data : "", static_cast<std::size_t>(sqlite3_column_bytes(statement_, index(column)))};
  }

 private:
  static int index(std::size_t column) { return static_cast<int>(column); }
  sqlite3_stmt* statement_;
};

// Set up as engine/storage sets up its readers.
class SqliteConnection {
 public:
  static constexpr query::Dialect dialect = query::Dialect::Sqlite;

  static void set_up_process() {
    sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
    sqlite3_config(SQLITE_CONFIG_MULTITHREAD);
  }

  SqliteConnection(const std::string& path, const Questions& questions) {
    sqlite3* db = nullptr;
    const int code = sqlite3_open_v2(path.c_str(), &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, nullptr);
    db_.reset(db);
    if (code != SQLITE_OK) fail("cannot open " + path + ": " + sqlite3_errmsg(db));
    if (storage::register_functions(db) != SQLITE_OK) fail("cannot register the text functions");
    sqlite3_exec(db, "PRAGMA cache_size = -16384", nullptr, nullptr, nullptr);
    for (const auto& [name, question] : questions) prepare(name, question);
  }

  // `key`: for a question that has one. The rows must go before the connection is asked again.
  SqliteRows ask(const Question& question, std::int64_t key) {
    sqlite3_stmt* statement = statements_.find(&question)->second.get();
    if (question.key_parameter) sqlite3_bind_int64(statement, static_cast<int>(question.key_parameter), key);
    return SqliteRows(statement);
  }

 private:
  struct StatementEnd {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  };
  struct ConnectionEnd {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };

  void prepare(const std::string& name, const Question& question) {
    sqlite3_stmt* statement = nullptr;
    sqlite3_prepare_v3(db_.get(), question.statement.sql.text().c_str(), -1, SQLITE_PREPARE_PERSISTENT, &statement,
                       nullptr);
    if (!statement) fail(name + ": " + sqlite3_errmsg(db_.get()));
    statements_[&question].reset(statement);
    if (!storage::bind_values(statement, question.values, storage::Texts::Borrowed))
      fail(name + ": cannot bind its values");
  }

  std::unique_ptr<sqlite3, ConnectionEnd> db_;
  std::map<const Question*, std::unique_ptr<sqlite3_stmt, StatementEnd>> statements_;
};

}  // namespace callisto::bench
