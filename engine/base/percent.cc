#include "engine/base/percent.h"

namespace callisto {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

}  // namespace

void append_encoded(std::string& out, std::string_view text) {
  // RFC 3986 2.1: "URI producers and normalizers should use uppercase hexadecimal digits".
  constexpr char digits[] = "0123456789ABCDEF";
  for (char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
}

void append_field(std::string& form, std::string_view name, std::string_view value) {
  if (!form.empty()) form += '&';
  append_encoded(form, name);
  form += '=';
  append_encoded(form, value);
}

std::optional<std::string> decoded_once(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    out += low >= 0 ? static_cast<char>(high * 16 + low) : text[i];
    if (low >= 0) i += 2;
  }
  if (out.size() == text.size()) return std::nullopt;
  return out;
}

}  // namespace callisto
