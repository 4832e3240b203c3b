// Value: one property's content, independent of how a database or JSON spells it. A plain value; any thread.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>

namespace callisto {

// Milliseconds since 1970-01-01T00:00:00Z.
struct DateTime {
  std::int64_t ms = 0;
  auto operator<=>(const DateTime&) const = default;
};

// An exact decimal: digits / 10^scale. `scale` is that of its property, 0 to 18.
struct Decimal {
  std::int64_t digits = 0;
  int scale = 0;
  bool operator==(const Decimal&) const = default;
};

struct Binary {
  std::string bytes;
  bool operator==(const Binary&) const = default;
};

struct Null {
  bool operator==(const Null&) const = default;
};

// Integer, Long, Short and lookup keys are int64; Float and Double are double; Text and RichText are UTF-8 strings.
using Value = std::variant<Null, bool, std::int64_t, double, std::string, DateTime, Decimal, Binary>;

void append_decimal(std::string& out, const Decimal& number);  // exactly `scale` digits after the point

inline bool is_null(const Value& value) { return std::holds_alternative<Null>(value); }

}  // namespace callisto
