#include "engine/storage/database.h"

#include "engine/storage/postgres_database.h"
#include "engine/storage/sqlite_database.h"

namespace callisto::storage {

namespace {

constexpr std::string_view sqlite = "sqlite:";

}  // namespace

Result<void> Database::check_url(const std::string& url) {
  if (url.starts_with("postgresql://")) return check_postgres_url(url);
  if (url.starts_with(sqlite) && url.size() > sqlite.size()) return {};
  // The url of another engine may hold a password: it is not repeated.
  return internal("the setting 'database' must be sqlite:PATH, such as sqlite:data/desk.db, or postgresql://...");
}

Result<std::unique_ptr<Database>> Database::open(const DatabaseOptions& options) {
  CALLISTO_CHECK(check_url(options.url));
  if (options.url.starts_with(sqlite)) return open_sqlite(options.url.substr(sqlite.size()), options);
  return open_postgres(options);
}

Result<std::optional<std::int64_t>> Connection::count_apart(const Sql& sql, const std::vector<Value>& values) {
  CALLISTO_TRY(auto row, query(sql, values));
  CALLISTO_TRY(bool given, row->step());
  return given ? std::optional(row->integer(0)) : std::nullopt;
}

Result<ReadTransaction> ReadTransaction::begin(Connection& connection) {
  CALLISTO_TRY(bool begun, connection.begin_read());
  return ReadTransaction(begun ? &connection : nullptr);
}

ReadTransaction::~ReadTransaction() {
  if (connection_) connection_->end_read();
}

}  // namespace callisto::storage
