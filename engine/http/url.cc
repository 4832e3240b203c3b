#include "engine/http/url.h"

#include "engine/base/text.h"

#include <algorithm>
#include <optional>
#include <utility>

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

// The byte of an escape; nothing where '%' and two digits do not stand there.
std::optional<char> escaped_byte(std::string_view raw) {
  const int high = raw.size() > 2 ? hex_digit(raw[1]) : -1;
  const int low = raw.size() > 2 ? hex_digit(raw[2]) : -1;
  if (high < 0 || low < 0) return std::nullopt;
  return static_cast<char>(high * 16 + low);
}

// Decodes once: what an escape yields is never looked at as an escape again. Most of it means itself and is taken in
// one piece.
Result<std::string> decode(std::string_view raw, Plus plus) {
  std::string out;
  out.reserve(raw.size());
  while (!raw.empty()) {
    const auto end = std::find_if(raw.begin(), raw.end(), [](char c) { return c == '%' || c == '+' || c == '\0'; });
    const auto plain = static_cast<std::size_t>(end - raw.begin());
    out += raw.substr(0, plain);
    raw.remove_prefix(plain);
    if (raw.empty()) break;
    const std::optional<char> byte = raw[0] == '%'                          ? escaped_byte(raw)
                                     : raw[0] == '+' && plus == Plus::Blank ? ' '
                                                                            : raw[0];
    if (!byte)
      return bad_format("The url has " + text::quoted(raw.substr(0, 3)) +
                        " where '%' and two hexadecimal digits are expected; write '%25' for a percent sign.");
    if (*byte == '\0') return bad_format("The url contains a NUL character (%00).");
    out += *byte;
    raw.remove_prefix(raw[0] == '%' ? 3 : 1);
  }
  if (!text::is_utf8(out)) return bad_format("The url is not UTF-8 once it is decoded.");
  return out;
}

// Letters, digits and the marks that stand in most paths: such bytes mean themselves, escapes apart.
bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.' ||
         c == '_' || c == '$';
}

bool has_control(std::string_view text) {
  for (char c : text)
    if (is_control(c)) return true;
  return false;
}

Result<std::string> decode_segment(std::string_view raw) {
  if (std::all_of(raw.begin(), raw.end(), is_plain)) return std::string(raw);
  CALLISTO_TRY(std::string segment, decode(raw, Plus::Literal));
  if (has_control(segment)) return bad_format("The path contains a control character.");
  if (segment.find('\\') != std::string::npos) return bad_format("The path contains a backslash.");
  return segment;
}

}  // namespace

Result<std::vector<std::string>> decode_path(std::string_view raw_path) {
  std::vector<std::string> segments;
  segments.reserve(static_cast<std::size_t>(std::count(raw_path.begin(), raw_path.end(), '/')) + 1);
  for (bool more = true; more;) {
    const std::size_t slash = raw_path.find('/');
    const std::string_view raw = raw_path.substr(0, slash);
    more = slash != raw_path.npos;
    if (more) raw_path.remove_prefix(slash + 1);
    if (raw.empty()) continue;
    CALLISTO_TRY(std::string segment, decode_segment(raw));
    segments.push_back(std::move(segment));
  }
  return segments;
}

Result<std::vector<std::pair<std::string, std::string>>> decode_query(std::string_view raw_query) {
  std::vector<std::pair<std::string, std::string>> pairs;
  bool is_doubled = false;
  for (std::string_view raw : text::split(raw_query, '&')) {
    if (raw.empty()) {
      is_doubled = !pairs.empty();
      continue;
    }
    if (std::exchange(is_doubled, false)) pairs.emplace_back();
    const std::size_t equals = raw.find('=');
    CALLISTO_TRY(std::string name, decode(raw.substr(0, equals), Plus::Blank));
    if (has_control(name)) return bad_format("The name of a query option contains a control character.");
    std::string value;
    if (equals != std::string_view::npos) { CALLISTO_TRY(value, decode(raw.substr(equals + 1), Plus::Blank)); }
    pairs.emplace_back(std::move(name), std::move(value));
  }
  return pairs;
}

}  // namespace callisto::http
