#include "engine/records/record_cursor.h"

#include <algorithm>
#include <type_traits>

namespace callisto::records {

bool RecordCursor::has_all(const query::Plan& plan) {
  const auto is_own = [](const query::Path& path) { return path.source == 0 && path.hops.empty() && !path.guarded; };
  return plan.joins.empty() && std::all_of(plan.columns.begin(), plan.columns.end(), is_own);
}

RecordCursor::RecordCursor(const query::Plan& plan, const Record& record) : plan_(plan) {
  values_.reserve(plan.columns.size());
  for (const query::Path& path : plan.columns) values_.push_back(record.get(*path.property));
}

std::int64_t RecordCursor::integer(std::size_t column) const {
  return std::visit(
      [](const auto& value) -> std::int64_t {
        using Kind = std::decay_t<decltype(value)>;
        if constexpr (std::is_same_v<Kind, DateTime>) return value.ms;
        else if constexpr (std::is_same_v<Kind, Decimal>) return value.digits;
        else if constexpr (std::is_arithmetic_v<Kind>) return static_cast<std::int64_t>(value);
        else return 0;
      },
      values_[column]);
}

double RecordCursor::real(std::size_t column) const {
  const auto* number = std::get_if<double>(&values_[column]);
  return number ? *number : static_cast<double>(integer(column));
}

std::string_view RecordCursor::text(std::size_t column) const {
  const Value& value = values_[column];
  const catalog::StoredBoolean& pair = plan_.columns[column].property->stored;
  if (const auto* flag = std::get_if<bool>(&value)) return *flag ? pair.yes : pair.no;
  if (const auto* file = std::get_if<Binary>(&value)) return file->bytes;
  const auto* text = std::get_if<std::string>(&value);
  return text ? std::string_view(*text) : std::string_view();
}

}  // namespace callisto::records
