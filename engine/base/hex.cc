#include "engine/base/hex.h"

namespace callisto {

std::string hex(std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char byte : bytes) {
    const auto octet = static_cast<unsigned char>(byte);
    text += {digits[octet >> 4], digits[octet & 15]};
  }
  return text;
}

}  // namespace callisto
