#include "engine/http/url.h"

#include "engine/base/text.h"

namespace callisto::http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }

enum class Plus { Literal, Blank };

// Decodes once: what an escape yields is never looked at as an escape again.
Result<std::string> decode(std::string_view raw, Plus plus) {
  std::string out;
  out.reserve(raw.size());
  for (std::size_t i = 0; i < raw.size(); ++i) {
    char c = raw[i];
    if (c == '+' && plus == Plus::Blank) {
      c = ' ';
    } else if (c == '%') {
      const int high = i + 2 < raw.size() ? hex_digit(raw[i + 1]) : -1;
      const int low = i + 2 < raw.size() ? hex_digit(raw[i + 2]) : -1;
      if (high < 0 || low < 0) {
        return bad_format("The url has " + text::quoted(raw.substr(i, 3)) +
                          " where '%' and two hexadecimal digits are due; write '%25' for a percent sign.");
      }
      c = static_cast<char>(high * 16 + low);
      i += 2;
    }
    if (c == '\0') return bad_format("The url contains a NUL character (%00).");
    out += c;
  }
  if (!text::is_utf8(out)) return bad_format("The url is not UTF-8 once it is decoded.");
  return out;
}

bool has_control(std::string_view text) {
  for (char c : text)
    if (is_control(c)) return true;
  return false;
}

Result<std::string> decode_segment(std::string_view raw) {
  CALLISTO_TRY(std::string segment, decode(raw, Plus::Literal));
  if (has_control(segment)) return bad_format("The path contains a control character.");
  if (segment.find('\\') != std::string::npos) return bad_format("The path contains a backslash.");
  return segment;
}

}  // namespace

Result<std::vector<std::string>> decode_path(std::string_view raw_path) {
  std::vector<std::string> segments;
  for (std::string_view raw : text::split(raw_path, '/')) {
    if (raw.empty()) continue;
    CALLISTO_TRY(std::string segment, decode_segment(raw));
    segments.push_back(std::move(segment));
  }
  return segments;
}

Result<std::vector<std::pair<std::string, std::string>>> decode_query(std::string_view raw_query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (std::string_view raw : text::split(raw_query, '&')) {
    if (raw.empty()) continue;
    const std::size_t equals = raw.find('=');
    CALLISTO_TRY(std::string name, decode(raw.substr(0, equals), Plus::Blank));
    if (has_control(name)) return bad_format("The name of a query option contains a control character.");
    std::string value;
    if (equals != std::string_view::npos) { CALLISTO_TRY(value, decode(raw.substr(equals + 1), Plus::Blank)); }
    pairs.emplace_back(std::move(name), std::move(value));
  }
  return pairs;
}

bool is_form(std::string_view content_type) {
  return text::equals_ignoring_ascii_case(text::trim(content_type.substr(0, content_type.find(';'))),
                                          "application/x-www-form-urlencoded");
}

}  // namespace callisto::http
