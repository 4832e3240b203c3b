#include "engine/records/convert.h"
#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/importing/write/plan.h"

#include <charconv>

namespace callisto::importing {

namespace {

// The text of a cell that says the same; values of other kinds stay what they are.
std::string as_cell(const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? "true" : "false";
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* moment = std::get_if<DateTime>(&value)) return to_iso8601(*moment);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* number = std::get_if<double>(&value)) {
    char digits[32];
    return {digits, std::to_chars(digits, digits + sizeof digits, *number).ptr};
  }
  return {};
}

}  // namespace

Result<Value> convert(const catalog::Property& property, Value value, const DateReader& dates) {
  using catalog::DataType;
  if (std::holds_alternative<DateTime>(value) && property.type == DataType::DateTime) return value;
  const std::string cell = as_cell(value);
  if (cell.empty()) return Value(Null{});
  if (property.type == DataType::DateTime) {
    if (const auto moment = dates.read(cell)) return Value(*moment);
    return bad_format(text::quoted(cell) + ": " + dates.expected_instead(cell) + " is expected");
  }
  auto converted = records::from_text(property, cell);
  if (!converted) return bad_format(text::quoted(cell) + ": " + converted.error().message);
  return converted;
}

}  // namespace callisto::importing
