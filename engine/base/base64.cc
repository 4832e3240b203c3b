#include "engine/base/base64.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace callisto {

namespace {

constexpr std::string_view digits_of(Base64 form) {
  return form == Base64::Url ? "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
                             : "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
}

// -1: no digit.
int value_of(char c, Base64 form) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == digits_of(form)[62]) return 62;
  return c == digits_of(form)[63] ? 63 : -1;
}

}  // namespace

void append_base64(std::string& out, std::string_view bytes, Base64 form) {
  const std::string_view digits = digits_of(form);
  const std::size_t start = out.size();
  out.reserve(start + (bytes.size() + 2) / 3 * 4);
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : bytes) {
    pending = (pending << 8) | static_cast<unsigned char>(c);
    for (bits += 8; bits >= 6;) {
      bits -= 6;
      out += digits[(pending >> bits) & 63];
    }
  }
  if (bits > 0) out += digits[(pending << (6 - bits)) & 63];
  while ((form == Base64::Padded || form == Base64::Lines) && (out.size() - start) % 4 != 0) out += '=';
}

std::string encode_base64(std::string_view bytes, Base64 form) {
  std::string text;
  append_base64(text, bytes, form);
  return text;
}

std::optional<std::string> decode_base64(std::string_view text, Base64 form) {
  if (form == Base64::Lines) {
    std::string digits;
    digits.reserve(text.size());
    std::copy_if(text.begin(), text.end(), std::back_inserter(digits),
                 [](char c) { return c != ' ' && c != '\t' && c != '\r' && c != '\n'; });
    return decode_base64(digits, Base64::Padded);
  }
  if (form == Base64::Padded) {
    if (text.size() % 4 != 0) return std::nullopt;
    for (int i = 0; i < 2 && text.ends_with('='); ++i) text.remove_suffix(1);
  }
  std::string bytes;
  bytes.reserve(text.size() * 3 / 4);
  std::uint32_t pending = 0;
  int bits = 0;
  for (const char c : text) {
    const int value = value_of(c, form);
    if (value < 0) return std::nullopt;
    pending = (pending << 6) | static_cast<std::uint32_t>(value);
    bits += 6;
    if (bits < 8) continue;
    bits -= 8;
    bytes += static_cast<char>((pending >> bits) & 255);
  }
  // RFC 4648 3.5: "decoders MAY choose to reject an encoding if the pad bits have not been set to zero".
  if (bits == 6 || (pending & ((1U << bits) - 1)) != 0) return std::nullopt;
  return bytes;
}

}  // namespace callisto
