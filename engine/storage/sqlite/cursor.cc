#include "engine/storage/sqlite/cursor.h"

#include "engine/storage/sqlite/error.h"

#include <string>
#include <type_traits>

namespace callisto::storage {
namespace {

int bind_value(sqlite3_stmt* statement, int index, const Value& value, sqlite3_destructor_type keeping) {
  return std::visit(
      [&](const auto& held) {
        using T = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<T, Null>) return sqlite3_bind_null(statement, index);
        else if constexpr (std::is_same_v<T, bool>) return sqlite3_bind_int64(statement, index, held ? 1 : 0);
        else if constexpr (std::is_same_v<T, std::int64_t>) return sqlite3_bind_int64(statement, index, held);
        else if constexpr (std::is_same_v<T, double>) return sqlite3_bind_double(statement, index, held);
        else if constexpr (std::is_same_v<T, DateTime>) return sqlite3_bind_int64(statement, index, held.ms);
        else if constexpr (std::is_same_v<T, Decimal>) return sqlite3_bind_int64(statement, index, held.digits);
        else if constexpr (std::is_same_v<T, std::string>)
          return sqlite3_bind_text64(statement, index, held.data(), held.size(), keeping, SQLITE_UTF8);
        else return sqlite3_bind_blob64(statement, index, held.bytes.data(), held.bytes.size(), keeping);
      },
      value);
}

}  // namespace

Result<void> bind_values(sqlite3_stmt* statement, const std::vector<Value>& values, Texts texts) {
  const sqlite3_destructor_type keeping = texts == Texts::Copied ? SQLITE_TRANSIENT : SQLITE_STATIC;
  const auto wanted = static_cast<std::size_t>(sqlite3_bind_parameter_count(statement));
  if (values.size() != wanted)
    return internal("a statement of " + std::to_string(wanted) + " parameters was given " +
                    std::to_string(values.size()) + " values: " + sqlite3_sql(statement));
  for (std::size_t i = 0; i < values.size(); ++i)
    if (int code = bind_value(statement, static_cast<int>(i + 1), values[i], keeping); code != SQLITE_OK)
      return sqlite_error(sqlite3_db_handle(statement), code, sqlite3_sql(statement));
  return {};
}

Result<bool> SqliteCursor::step() {
  if (finished_) return false;  // stepping a reset statement would run it again
  known_ = nulls_ = 0;
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  finished_ = true;
  if (code != SQLITE_DONE) return sqlite_error(sqlite3_db_handle(statement_), code, sqlite3_sql(statement_));
  sqlite3_reset(statement_);  // the snapshot ends with the last row, even where the cursor lives on
  return false;
}

bool SqliteCursor::is_null(std::size_t column) const {
  return sqlite3_column_type(statement_, static_cast<int>(column)) == SQLITE_NULL;
}

std::int64_t SqliteCursor::integer(std::size_t column) const {
  return sqlite3_column_int64(statement_, static_cast<int>(column));
}

// Null reads as 0, and only then it is asked which of both it is.
std::optional<std::int64_t> SqliteCursor::integer_or_null(std::size_t column) const {
  const std::uint32_t bit = column < most_known ? std::uint32_t{1} << column : 0;
  if ((nulls_ & bit) != 0) return std::nullopt;
  if ((known_ & bit) != 0) return numbers_[column];
  const std::int64_t number = integer(column);
  if (number == 0 && is_null(column)) {
    nulls_ |= bit;
    return std::nullopt;
  }
  known_ |= bit;
  if (bit != 0) numbers_[column] = number;
  return number;
}

double SqliteCursor::real(std::size_t column) const {
  return sqlite3_column_double(statement_, static_cast<int>(column));
}

std::string_view SqliteCursor::text(std::size_t column) const {
  // blob() gives texts and bytes alike without conversion; it must come before bytes(), which tells its length.
  const auto* data = static_cast<const char*>(sqlite3_column_blob(statement_, static_cast<int>(column)));
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, static_cast<int>(column)));
  return {data ? data : "", size};
}

}  // namespace callisto::storage
