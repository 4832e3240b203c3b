#include "engine/base/percent.h"

namespace callisto {

namespace {

bool is_unreserved(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '~';
}

}  // namespace

void append_encoded(std::string& out, std::string_view text) {
  // RFC 3986 2.1: "URI producers and normalizers should use uppercase hexadecimal digits".
  constexpr char kDigits[] = "0123456789ABCDEF";
  for (char c : text) {
    if (is_unreserved(c)) {
      out += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      out += {'%', kDigits[byte >> 4], kDigits[byte & 15]};
    }
  }
}

void append_field(std::string& form, std::string_view name, std::string_view value) {
  if (!form.empty()) form += '&';
  append_encoded(form, name);
  form += '=';
  append_encoded(form, value);
}

}  // namespace callisto
