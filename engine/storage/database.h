// The database: connections with kept statements, transactions, and one writer. SOCI and the database clients stay inside
// this folder. A Connection and what it hands out belong to one thread at a time; Database is safe from any thread.
// Errors: 503 when the database is busy or gone, 500 otherwise; SQL text and driver messages go to log_detail only.
#pragma once

#include "engine/base/result.h"
#include "engine/base/sql.h"
#include "engine/base/value.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::storage {

// One row at a time, straight from the driver. Views are valid until the next step() or the cursor's end. A cursor is
// always closed (reset) by its destructor, so none can pin a snapshot.
class Cursor {
 public:
  virtual ~Cursor() = default;
  virtual Result<bool> step() = 0;                         // false: no more rows
  virtual bool is_null(std::size_t column) const = 0;
  virtual std::int64_t integer(std::size_t column) const = 0;
  virtual double real(std::size_t column) const = 0;
  virtual std::string_view text(std::size_t column) const = 0;     // text or bytes
};

class Connection {
 public:
  virtual ~Connection() = default;
  // `values` fill the parameters in order: bool as 1/0, DateTime as ms, Decimal as digits. The prepared statement is kept
  // (least recently used beyond 256 go). One read transaction spans a `snapshot`.
  virtual Result<std::unique_ptr<Cursor>> query(const Sql& sql, const std::vector<Value>& values) = 0;
  virtual Result<std::int64_t> execute(const Sql& sql, const std::vector<Value>& values) = 0;   // rows changed
  virtual Result<void> run_script(std::string_view sql) = 0;       // several statements of our own sql/ files
  virtual Result<std::vector<std::string>> explain(const Sql& sql, const std::vector<Value>& values) = 0;
};

// A connection that may write, inside one transaction that ends with the function given to Database::write.
using WriteFunction = std::function<Result<void>(Connection&)>;

struct DatabaseOptions {
  std::string url;                    // "sqlite:/path/desk.db"; "sqlite::memory:" shares one memory database
  std::size_t cache_kib = 16 * 1024;  // per read connection
};

class Database {
 public:
  static Result<std::unique_ptr<Database>> open(const DatabaseOptions& options);
  virtual ~Database() = default;
  virtual Result<std::unique_ptr<Connection>> connect_reader() = 0;
  // Queued to the one writer; returns after the commit that holds it (or its roll-back: any error undoes all of it).
  // Must not be called from inside a WriteFunction.
  virtual Result<void> write(const WriteFunction& function) = 0;
};

}  // namespace callisto::storage
