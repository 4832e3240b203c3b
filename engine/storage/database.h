// The database: connections with kept statements, and transactions. SOCI and the database clients stay inside this
// folder.  Errors: 503 when the
// database is busy or gone, 500 otherwise; SQL text and driver messages go to log_detail only.
//
// Requires: a Connection and what it hands out belong to one thread at a time. Database: any thread. Invariants: SQLite
// has one writer at a time; a write is kept whole or not at all; readers see only commits.
#pragma once

#include "engine/base/result.h"
#include "engine/base/sql.h"
#include "engine/base/value.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::storage {

// One row at a time, straight from the driver. Views are valid until the next step() or the cursor's end. A cursor is
// always closed (reset) by its destructor, so none can pin a snapshot.
class Cursor {
 public:
  virtual ~Cursor() = default;
  virtual Result<bool> step() = 0;  // false: no more rows
  // Where what its rows may take ends with a RowLimit that was met, it fails here and not at a later step; from then on
  // the limit may go. A database that reads as it steps does nothing.
  virtual Result<void> read_to_end() { return {}; }
  virtual bool is_null(std::size_t column) const = 0;
  virtual std::int64_t integer(std::size_t column) const = 0;
  // Both questions at once: a page asks them for each of its cells.
  virtual std::optional<std::int64_t> integer_or_null(std::size_t column) const {
    return is_null(column) ? std::nullopt : std::optional(integer(column));
  }
  virtual double real(std::size_t column) const = 0;
  virtual std::string_view text(std::size_t column) const = 0;  // text or bytes
};

class Dialect;

Error sum_too_large();  // 400: what a statement adds up is more than 64 bits hold

// Where the ids of a table stand in the running transaction, and where its row of id_block says they do.
struct IdCounter {
  std::int64_t next = 1, stored = 1;
};
using IdCounters = std::map<std::string, IdCounter, std::less<>>;  // by table

// How many commits of this process are visible to readers.
struct Commits {
  std::uint64_t number = 0;
  bool others_write = false;  // commits of other processes count for nothing
};

struct Examined {
  std::uint64_t given = 0, looked_at = 0;
};

class Connection {
 public:
  virtual ~Connection() = default;
  // `values` fill the parameters in order: bool as 1/0, DateTime as ms, Decimal as digits. The prepared statement is
  // kept (least recently used beyond 256 go). A cursor must go before its connection.
  virtual Result<std::unique_ptr<Cursor>> query(const Sql& sql, const std::vector<Value>& values) = 0;
  virtual Result<std::int64_t> execute(const Sql& sql, const std::vector<Value>& values) = 0;  // rows changed
  virtual Result<void> run_script(std::string_view sql) = 0;  // several statements of our own sql/ files
  virtual Result<std::vector<std::string>> explain(const Sql& sql, const std::vector<Value>& values) = 0;
  // Runs a statement that reads to its end: how many rows it gave, and about how many it looked at for that.
  virtual Result<Examined> examine(const Sql& sql, const std::vector<Value>& values) = 0;
  // Keys of new rows, handed out by the application, so that no database needs a sequence of its own (decision 0018):
  // the first of `count` (at least 1) of `table` that follow each other, of all 1. Inside a WriteFunction only. What a
  // rolled-back write took is given out again by SQLite; with PostgreSQL, where several write at once, nobody waits for
  // another's transaction, which leaves a gap.
  virtual Result<std::int64_t> next_ids(std::string_view table, std::int64_t count);
  // For rows that came with their key: next_ids gives only greater ones from now on.
  virtual Result<void> keep_ids_above(std::string_view table, std::int64_t used);
  // Of a reader: from now on no statement takes longer, nor than the database's own deadline; a 503.
  virtual Result<void> set_patience(std::chrono::milliseconds) { return {}; }
  // Of a reader: its statements from now on examine about so many rows together, and fail beyond; nothing: any number.
  virtual Result<void> limit_rows(std::optional<std::uint64_t>) { return {}; }
  virtual bool has_met_row_limit() const { return false; }
  virtual const Dialect& dialect() const = 0;
  // What was read after asking is of this state or a newer one, so that while the number stays, so does what was read.
  // Nothing where no number tells.
  virtual std::optional<Commits> commits() const { return std::nullopt; }
  // Another number whenever a row of the table has changed: while it stays, so does what was read of the table after
  // asking. To a reader it tells of what is committed, inside a WriteFunction of what was done or undone since as well.
  // Nothing where others may write meanwhile.
  virtual std::optional<std::uint64_t> version_of(std::string_view /*table*/) const { return std::nullopt; }

 protected:
  friend class Savepoint;
  virtual IdCounters id_counters() const { return {}; }  // that roll back with the transaction
  virtual void go_back_to(const IdCounters&) {}          // beside what the database undoes itself
  friend class ReadTransaction;
  virtual Result<bool> begin_read() = 0;  // false: a transaction is open already, which then serves
  virtual void end_read() = 0;
};

// While it lives, all reads of its connection see one state of the database: that of the first of them. Inside a
// WriteFunction it adds nothing, since that is one transaction anyway.
class ReadTransaction {
 public:
  static Result<ReadTransaction> begin(Connection& connection);
  ReadTransaction(ReadTransaction&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  ReadTransaction& operator=(ReadTransaction&&) = delete;
  ~ReadTransaction();

 private:
  explicit ReadTransaction(Connection* connection) : connection_(connection) {}
  Connection* connection_;  // null: another transaction serves
};

// What so many rows may take, where that is not counted or each of them costs much.
constexpr std::chrono::milliseconds time_for_rows(std::uint64_t rows) {
  constexpr std::uint64_t in_a_millisecond = 1000;
  return std::chrono::milliseconds(rows / in_a_millisecond + 1);
}

// While it lives, what its connection reads examines no more rows than so many together. Its cursors go before it, or
// were read to their end. Inside a transaction, what comes after it goes on as if nothing had failed.
class RowLimit {
 public:
  static Result<RowLimit> set(Connection& connection, std::uint64_t rows);
  RowLimit(RowLimit&& other) noexcept : connection_(std::exchange(other.connection_, nullptr)) {}
  RowLimit& operator=(RowLimit&&) = delete;
  ~RowLimit();
  bool is_met() const { return connection_->has_met_row_limit(); }

 private:
  explicit RowLimit(Connection* connection) : connection_(connection) {}
  Connection* connection_;
};

// A part of a write that can be undone alone. They may nest; the inner one ends first.
class Savepoint {
 public:
  static Result<Savepoint> begin(Connection& connection);  // which outlives it
  Result<void> release();                                  // what was done since stays, as far as what is around it
  Result<void> roll_back();                                // it is undone

 private:
  explicit Savepoint(Connection& connection) : connection_(connection), ids_(connection.id_counters()) {}
  Connection& connection_;
  IdCounters ids_;
};

// A connection that may write, inside one transaction that ends with the function given to Database::write. It may run
// again, from the beginning, when another write came between or one that shared its commit failed: what it was given
// must be there then, and what it tells be only of its last run. After a statement that failed it can only end, or go
// back to a savepoint of its own.
using WriteFunction = std::function<Result<void>(Connection&)>;

struct DatabaseOptions {
  // "sqlite:/path/desk.db"; "sqlite::memory:" shares one memory database; "postgresql://user@host/desk".
  std::string url;
  std::size_t cache_kib = 16 * 1024;                // per read connection
  bool read_only = false;                           // readers only, beside a running server too; the file must exist
  std::chrono::milliseconds read_deadline{10'000};  // a statement of a reader that runs longer is a 503
  std::size_t writers = 1;                          // how many write functions may run at once; PostgreSQL alone (0015)
};

// Whether the database answers, as was found a few seconds ago at most.
struct Health {
  bool answers = true, takes_writes = true;
};

// How busy writing is, for those who watch over a server.
struct WriterLoad {
  std::size_t queued = 0;  // writes that wait for their turn
  std::uint64_t commits = 0;
  std::uint64_t writes = 0;  // with SQLite several share a commit
  bool stopped = false;      // a flush failed or the file is damaged: nothing is written any more
};

// Errors of open() are for the operator: what is wrong, with the path, stands in log_detail.
// Connections must go before their Database.
class Database {
 public:
  // Whether `url` has the form of one; opens nothing.
  static bool is_postgres(std::string_view url);  // by its scheme
  static Result<void> check_url(const std::string& url);
  static Result<std::unique_ptr<Database>> open(const DatabaseOptions& options);
  virtual ~Database() = default;
  virtual Result<std::unique_ptr<Connection>> connect_reader() = 0;
  // Returns after the commit that holds it (or its roll-back: any error undoes all of it). Writes happen as if one
  // after the other, those of other processes too. Must not be called from inside a WriteFunction.
  virtual Result<void> write(const WriteFunction& function) = 0;
  virtual std::optional<Commits> commits() const { return std::nullopt; }  // as of a Connection
  virtual Health health() const { return {}; }
  virtual WriterLoad writer_load() const { return {}; }  // zeros where this process only reads
  virtual std::size_t writers() const { return 1; }      // how many write functions may run at once
  // The same, while no other process is inside a write_alone: for changes of the tables themselves.
  virtual Result<void> write_alone(const WriteFunction& function) { return write(function); }
};

}  // namespace callisto::storage
