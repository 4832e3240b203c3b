#include "engine/storage/database.h"

#include "engine/storage/postgres/database.h"
#include "engine/storage/sqlite/database.h"

namespace callisto::storage {

namespace {

constexpr std::string_view sqlite = "sqlite:";

}  // namespace

Result<void> Database::check_url(const std::string& url) {
  if (is_postgres(url)) return check_postgres_url(url);
  if (url.starts_with(sqlite) && url.size() > sqlite.size()) return {};
  // The url of another engine may hold a password: it is not repeated.
  return internal("the setting 'database' must be sqlite:PATH, such as sqlite:data/desk.db, or postgresql://...");
}

bool Database::is_postgres(std::string_view url) {
  return url.starts_with("postgresql://") || url.starts_with("postgres://");  // as libpq has it
}

Result<std::unique_ptr<Database>> Database::open(const DatabaseOptions& options) {
  CALLISTO_CHECK(check_url(options.url));
  if (options.url.starts_with(sqlite)) return open_sqlite(options.url.substr(sqlite.size()), options);
  return open_postgres(options);
}

Error sum_too_large() {
  return bad_format(
      "A sum passes 9223372036854775807, the largest whole number. Make smaller groups, filter, or ask for avg.");
}

Result<std::int64_t> Connection::next_ids(std::string_view table, std::int64_t) {
  return internal("a connection that only reads was asked for keys of " + std::string(table));
}

Result<void> Connection::keep_ids_above(std::string_view table, std::int64_t) {
  return internal("a connection that only reads was told of keys of " + std::string(table));
}

Result<Savepoint> Savepoint::begin(Connection& connection) {
  CALLISTO_CHECK(connection.execute(Sql("SAVEPOINT part"), {}));
  return Savepoint(connection);
}

Result<void> Savepoint::release() {
  CALLISTO_CHECK(connection_.execute(Sql("RELEASE part"), {}));
  return {};
}

Result<void> Savepoint::roll_back() {
  CALLISTO_CHECK(connection_.execute(Sql("ROLLBACK TO part"), {}));
  connection_.go_back_to(ids_);
  return release();
}

Result<RowLimit> RowLimit::set(Connection& connection, std::uint64_t rows) {
  CALLISTO_CHECK(connection.limit_rows(rows));
  return RowLimit(&connection);
}

RowLimit::~RowLimit() {
  if (connection_) (void)connection_->limit_rows(std::nullopt);
}

Result<ReadTransaction> ReadTransaction::begin(Connection& connection) {
  CALLISTO_TRY(bool begun, connection.begin_read());
  return ReadTransaction(begun ? &connection : nullptr);
}

ReadTransaction::~ReadTransaction() {
  if (connection_) connection_->end_read();
}

}  // namespace callisto::storage
