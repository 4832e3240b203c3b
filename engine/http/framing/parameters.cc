#include "engine/http/framing/parameters.h"

#include "engine/base/base64.h"
#include "engine/base/percent.h"
#include "engine/base/text.h"

#include <algorithm>

namespace callisto::http {

namespace {

// The bytes of a charset as UTF-8.
std::optional<std::string> as_utf8(std::string bytes, std::string_view charset) {
  if (text::equals_ignoring_ascii_case(charset, "UTF-8"))
    return text::is_utf8(bytes) ? std::optional(std::move(bytes)) : std::nullopt;
  if (!text::equals_ignoring_ascii_case(charset, "ISO-8859-1")) return std::nullopt;
  std::string out;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) out += c;
    else out += {static_cast<char>(0xC0 | (byte >> 6)), static_cast<char>(0x80 | (byte & 0x3F))};
  }
  return out;
}

// RFC 8187 3.2.1: a value has "%" only before two hexadecimal digits.
bool has_whole_escapes(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdefABCDEF";
  for (std::size_t at = text.find('%'); at != text.npos; at = text.find('%', at + 1))
    if (at + 2 >= text.size() || digits.find(text[at + 1]) == digits.npos || digits.find(text[at + 2]) == digits.npos)
      return false;
  return true;
}

// RFC 2047 4.2: "_" is a blank, and "=" stands before two hexadecimal digits.
std::optional<std::string> decode_q(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '%') escaped += "%25";
    else escaped += c == '=' ? '%' : c == '_' ? ' ' : c;
  }
  if (!has_whole_escapes(escaped)) return std::nullopt;
  return decoded_once(escaped).value_or(escaped);
}

// =?charset?encoding?text?=
std::optional<std::string> decode_word(std::string_view word) {
  if (word.size() < 6 || !word.starts_with("=?") || !word.ends_with("?=")) return std::nullopt;
  const auto parts = text::split(word.substr(2, word.size() - 4), '?');
  if (parts.size() != 3 || parts[1].size() != 1) return std::nullopt;
  const std::string_view charset = parts[0].substr(0, parts[0].find('*'));  // RFC 2231 5: a language may follow
  const char encoding = parts[1][0];
  if (encoding != 'B' && encoding != 'b' && encoding != 'Q' && encoding != 'q') return std::nullopt;
  auto bytes = encoding == 'B' || encoding == 'b' ? decode_base64(parts[2], Base64::Padded) : decode_q(parts[2]);
  return bytes ? as_utf8(*std::move(bytes), charset) : std::nullopt;
}

}  // namespace

HeaderParameters parameters_of(std::string_view header) {
  HeaderParameters found;
  std::size_t at = header.find(';');
  while (at < header.size()) {
    const std::size_t end_of_name = std::min(header.find_first_of("=;", at + 1), header.size());
    std::string name = text::ascii_lower(text::trim(header.substr(at + 1, end_of_name - at - 1)));
    at = end_of_name;
    std::string value;
    if (at < header.size() && header[at] == '=') {
      at = std::min(header.find_first_not_of(" \t", at + 1), header.size());
      if (at < header.size() && header[at] == '"') {
        for (++at; at < header.size() && header[at] != '"'; ++at) {
          const bool escapes =
              header[at] == '\\' && at + 1 < header.size() && (header[at + 1] == '"' || header[at + 1] == '\\');
          value += header[escapes ? ++at : at];
        }
        at = header.find(';', at);
      } else {
        const std::size_t end = std::min(header.find(';', at), header.size());
        value = text::trim(header.substr(at, end - at));
        at = end;
      }
    }
    found.emplace_back(std::move(name), std::move(value));
  }
  return found;
}

std::optional<std::string> decode_extended(std::string_view value) {
  const std::size_t first = value.find('\'');
  const std::size_t second = first == value.npos ? value.npos : value.find('\'', first + 1);
  if (second == value.npos) return std::nullopt;
  const std::string_view escaped = value.substr(second + 1);
  if (!has_whole_escapes(escaped)) return std::nullopt;
  return as_utf8(decoded_once(escaped).value_or(std::string(escaped)), value.substr(0, first));
}

std::optional<std::string> decode_words(std::string_view text) {
  std::string all;
  bool has_words = false;
  for (const std::string_view word : text::split(text, ' ')) {
    if (word.empty()) continue;  // RFC 2047 6.2: white space between encoded words is ignored
    const auto decoded = decode_word(word);
    if (!decoded) return std::nullopt;
    has_words = true;
    all += *decoded;
  }
  return has_words ? std::optional(std::move(all)) : std::nullopt;
}

}  // namespace callisto::http
