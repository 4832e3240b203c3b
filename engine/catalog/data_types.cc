#include "engine/catalog/data_types.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace callisto::catalog {
namespace {

constexpr const char* moments = "DateTimePicker DatePicker";
constexpr const char* links = "Lookup MultiLookup MultiSelect ListBox Select TieredSelect";

// In the order of DataType.
constexpr std::array<DataTypeTraits, 12> table{{
    {DataType::Binary, "Binary", "binary", Family::Binary, Kept::Bytes, "string", "", ""},
    {DataType::Boolean, "Boolean", "boolean", Family::Boolean, Kept::Flag, "boolean", "", "Checkbox"},
    {DataType::DateTime, "DateTime", "datetime", Family::DateTime, Kept::Whole, "string", "date-time", moments},
    {DataType::Integer,
     "Integer",
     "integer",
     Family::Number,
     Kept::Whole,
     "integer",
     "int32",
     "Numeric",
     {INT32_MIN, INT32_MAX}},
    {DataType::Long, "Long", "long", Family::Number, Kept::Whole, "integer", "int64", "Numeric"},
    {DataType::Float, "Float", "float", Family::Number, Kept::Real, "number", "float", "Numeric"},
    {DataType::Double, "Double", "double", Family::Number, Kept::Real, "number", "double", "Numeric"},
    {DataType::Decimal, "Decimal", "decimal", Family::Number, Kept::Whole, "number", "", "Numeric"},
    {DataType::Short,
     "Short",
     "short",
     Family::Number,
     Kept::Whole,
     "integer",
     "int32",
     "Numeric",
     {INT16_MIN, INT16_MAX}},
    {DataType::Text, "Text", "text", Family::Text, Kept::Text, "string", "", "Text Password"},
    {DataType::RichText, "RichText", "richtext", Family::Text, Kept::Text, "string", "", "RichText TextArea"},
    {DataType::Lookup, "Lookup", "lookup", Family::Lookup, Kept::Whole, "integer", "int64", links},
}};

constexpr bool is_in_order() {
  for (std::size_t i = 0; i < table.size(); ++i)
    if (static_cast<std::size_t>(table[i].type) != i) return false;
  return true;
}
static_assert(is_in_order());

std::optional<DataType> type_by(const char* DataTypeTraits::*member, std::string_view text) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const auto& row) { return row.*member == text; });
  return found == table.end() ? std::nullopt : std::optional(found->type);
}

}  // namespace

const DataTypeTraits& traits(DataType type) { return table[static_cast<std::size_t>(type)]; }

const char* name(DataType type) { return traits(type).name; }

std::optional<DataType> data_type(std::string_view name) { return type_by(&DataTypeTraits::name, name); }

std::optional<DataType> data_type_of_noun(std::string_view noun) { return type_by(&DataTypeTraits::noun, noun); }

bool is_whole(DataType type) {
  return is_number(type) && traits(type).kept == Kept::Whole && type != DataType::Decimal;
}

bool is_number(DataType type) { return family(type) == Family::Number; }

bool is_text(DataType type) { return family(type) == Family::Text; }

}  // namespace callisto::catalog
