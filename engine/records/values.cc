#include "engine/records/values.h"

#include "engine/base/text.h"

#include <array>

namespace callisto::records {

using catalog::DataType;

bool is_true_flag(std::string_view stored) {
  static constexpr std::array<std::string_view, 8> flags{"Y", "YES", "T", "TRUE", "ON", "1", "P", "A"};
  for (std::string_view flag : flags)
    if (text::equals_ignoring_ascii_case(stored, flag)) return true;
  return false;
}

bool read_boolean(const storage::Cursor& row, std::size_t column, const catalog::Property& property) {
  return property.stored.is_text() ? is_true_flag(row.text(column)) : row.integer(column) != 0;
}

bool is_stored_whole(const catalog::Property& property) {
  return catalog::traits(property.type).kept == catalog::Kept::Whole;
}

Value whole_value(std::int64_t stored, const catalog::Property& property) {
  if (property.type == DataType::DateTime) return DateTime{stored};
  if (property.type == DataType::Decimal) return Decimal{stored, property.scale};
  return stored;
}

Value read_value(const storage::Cursor& row, std::size_t column, const catalog::Property& property) {
  if (is_stored_whole(property)) {
    const auto number = row.integer_or_null(column);
    return number ? whole_value(*number, property) : Value(Null{});
  }
  if (row.is_null(column)) return Null{};
  switch (catalog::traits(property.type).kept) {
    case catalog::Kept::Flag:
      return read_boolean(row, column, property);
    case catalog::Kept::Real:
      return row.real(column);
    case catalog::Kept::Bytes:
      return Binary{std::string(row.text(column))};
    default:
      return std::string(row.text(column));
  }
}

}  // namespace callisto::records
