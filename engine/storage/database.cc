#include "engine/storage/database.h"

#include "engine/storage/sqlite_database.h"

namespace callisto::storage {

Result<std::unique_ptr<Database>> Database::open(const DatabaseOptions& options) {
  constexpr std::string_view sqlite = "sqlite:";
  if (options.url.starts_with(sqlite) && options.url.size() > sqlite.size())
    return open_sqlite(options.url.substr(sqlite.size()), options);
  // The url of another engine may hold a password: it is not repeated.
  return internal("the setting 'database' must be sqlite:PATH, such as sqlite:data/desk.db");
}

Result<ReadTransaction> ReadTransaction::begin(Connection& connection) {
  CALLISTO_TRY(bool begun, connection.begin_read());
  return ReadTransaction(begun ? &connection : nullptr);
}

ReadTransaction::~ReadTransaction() {
  if (connection_) connection_->end_read();
}

}  // namespace callisto::storage
