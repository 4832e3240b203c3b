#include "engine/storage/database.h"

#include "engine/storage/postgres_database.h"
#include "engine/storage/sqlite_database.h"

namespace callisto::storage {

Result<std::unique_ptr<Database>> Database::open(const DatabaseOptions& options) {
  constexpr std::string_view sqlite = "sqlite:";
  if (options.url.starts_with(sqlite) && options.url.size() > sqlite.size())
    return open_sqlite(options.url.substr(sqlite.size()), options);
  if (options.url.starts_with("postgresql://")) return open_postgres(options);
  // The url of another engine may hold a password: it is not repeated.
  return internal("the setting 'database' must be sqlite:PATH, such as sqlite:data/desk.db, or postgresql://...");
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
