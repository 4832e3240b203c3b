// Numbers exactly as a query spells them: no digit is lost between the text and the comparison. Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::query {

// Whether a text spells one: sign '-' or none, digits, a fraction and an exponent where there are any.
bool is_number(std::string_view text);

// ±digits * 10^exponent; no leading or trailing zeros, zero has no digits.
class Number {
 public:
  // `spelled`: a Number token (optional sign, digits, optional fraction and exponent).
  explicit Number(std::string_view spelled);

  // floor(this * 10^scale), and whether that is the value itself; nothing where an int64 cannot hold it.
  struct Scaled {
    std::int64_t floor = 0;
    bool exact = true;
  };
  std::optional<Scaled> scaled(int scale) const;

  // The nearest double; nothing where that is infinite.
  std::optional<double> to_double() const;

  // < 0, 0, > 0.
  friend int compare(const Number& a, const Number& b);

 private:
  bool negative_ = false;
  std::string digits_;
  std::int64_t exponent_ = 0;
};

int compare(const Number& a, const Number& b);

}  // namespace callisto::query
