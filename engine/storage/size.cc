// How large a database is.
#include "engine/storage/dialect.h"
#include "engine/storage/upkeep.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace callisto::storage {

namespace {

std::uint64_t size_of_file(const std::string& path) {
  std::error_code none;
  const auto bytes = std::filesystem::file_size(path, none);
  return none ? 0 : static_cast<std::uint64_t>(bytes);
}

Result<DatabaseSize> size_on_postgres(Connection& connection) {
  static const Sql sql("SELECT pg_database_size(current_database())");
  CALLISTO_TRY(auto row, connection.query(sql, {}));
  CALLISTO_CHECK(row->step());
  return DatabaseSize{static_cast<std::uint64_t>(row->integer(0)), {}};
}

Result<DatabaseSize> size_of_files(Connection& connection) {
  static const Sql sql("SELECT file FROM pragma_database_list WHERE name = 'main'");
  CALLISTO_TRY(auto row, connection.query(sql, {}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return DatabaseSize();
  const std::string file(row->text(0));
  return DatabaseSize{size_of_file(file), size_of_file(file + "-wal")};
}

}  // namespace

Result<DatabaseSize> size_of(Connection& connection) {
  return &connection.dialect() == &postgres_dialect() ? size_on_postgres(connection) : size_of_files(connection);
}

}  // namespace callisto::storage
