#include "engine/base/escape.h"

#include "engine/base/text.h"

#include <algorithm>

namespace callisto {

namespace {

void append_escape(std::string& out, unsigned char byte) {
  constexpr char digits[] = "0123456789abcdef";
  switch (byte) {
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  out += "\\u00";
  out += digits[byte >> 4];
  out += digits[byte & 0x0F];
}

}  // namespace

std::string escaped(std::string_view text, bool json) {
  const auto is_plain = [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; };
  if (std::all_of(text.begin(), text.end(), is_plain)) return std::string(text);
  std::string out;
  out.reserve(text.size() + 8);
  const bool utf8 = text::is_utf8(text);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = i + 1 < text.size() ? static_cast<unsigned char>(text[i + 1]) : 0;
    if (byte < 0x20 || byte == 0x7F || (byte >= 0x80 && !utf8)) {
      append_escape(out, byte);
    } else if (byte == 0xC2 && next < 0xA0) {
      append_escape(out, static_cast<unsigned char>(next));
      ++i;
    } else {
      if (json && (byte == '"' || byte == '\\')) out += '\\';
      out += text[i];
    }
  }
  return out;
}

}  // namespace callisto
