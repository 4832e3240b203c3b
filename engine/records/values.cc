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

Value read_value(const storage::Cursor& row, std::size_t column, const catalog::Property& property) {
  if (row.is_null(column)) return Null{};
  switch (property.type) {
    case DataType::Boolean:
      return read_boolean(row, column, property);
    case DataType::Integer:
    case DataType::Long:
    case DataType::Short:
    case DataType::Lookup:
      return row.integer(column);
    case DataType::Float:
    case DataType::Double:
      return row.real(column);
    case DataType::Decimal:
      return Decimal{row.integer(column), property.scale};
    case DataType::DateTime:
      return DateTime{row.integer(column)};
    case DataType::Binary:
      return Binary{std::string(row.text(column))};
    case DataType::Text:
    case DataType::RichText:
      return std::string(row.text(column));
  }
  return Null{};
}

}  // namespace callisto::records
