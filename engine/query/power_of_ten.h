// 10 to the power of a Decimal's scale, by which both SQL texts and the interpreter split its digits. Pure.
#pragma once

#include <cstdint>

namespace callisto::query {

inline constexpr int max_scale = 18;  // the largest power of ten that an int64 holds

constexpr std::int64_t power_of_ten(int exponent) {
  std::int64_t power = 1;
  for (int i = 0; i < exponent; ++i) power *= 10;
  return power;
}

}  // namespace callisto::query
