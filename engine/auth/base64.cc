#include "engine/auth/base64.h"

#include <cstdint>

namespace callisto::auth {

namespace {

constexpr std::string_view alphabet_of(Base64 alphabet) {
  return alphabet == Base64::Url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
                                 : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

}  // namespace

std::string encode_base64(std::string_view bytes, Base64 alphabet) {
  const std::string_view digits = alphabet_of(alphabet);
  std::string text;
  text.reserve((bytes.size() * 4 + 2) / 3);
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : bytes) {
    pending = (pending << 8) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6;) {
      bits -= 6;
      text += digits[(pending >> bits) & 63];
    }
  }
  if (bits > 0) text += digits[(pending << (6 - bits)) & 63];
  return text;
}

std::optional<std::string> decode_base64(std::string_view text, Base64 alphabet) {
  const std::string_view digits = alphabet_of(alphabet);
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : text) {
    const std::size_t digit = digits.find(c);
    if (digit == std::string_view::npos) return std::nullopt;
    pending = (pending << 6) | static_cast<std::uint32_t>(digit);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((pending >> bits) & 255);
  }
  if (bits == 6 || (pending & ((1U << bits) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace callisto::auth
