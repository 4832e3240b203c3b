#include "engine/base/value.h"

#include <array>
#include <charconv>
#include <cstddef>

namespace callisto {

void append_decimal(std::string& out, const Decimal& number) {
  auto magnitude = static_cast<std::uint64_t>(number.digits);
  if (number.digits < 0) {
    out += '-';
    magnitude = 0 - magnitude;  // right for the lowest number too
  }
  std::array<char, 24> digits;
  char* end = std::to_chars(digits.begin(), digits.end(), magnitude).ptr;
  const auto count = static_cast<std::size_t>(end - digits.begin());
  const auto scale = static_cast<std::size_t>(number.scale);
  const std::size_t whole = count > scale ? count - scale : 0;
  if (whole == 0) out += '0';
  out.append(digits.begin(), whole);
  if (scale == 0) return;
  out += '.';
  out.append(scale - (count - whole), '0');
  out.append(digits.begin() + whole, count - whole);
}

}  // namespace callisto
