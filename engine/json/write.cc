#include "engine/json/write.h"

#include "engine/base/base64.h"
#include "engine/base/datetime.h"

#include <array>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>

namespace callisto::json {

namespace {

constexpr std::string_view hex_digits = "0123456789abcdef";

// What stands after the backslash: 0 for a byte that needs none, 'u' for \u00XX.
constexpr std::array<char, 256> escapes = [] {
  std::array<char, 256> table{};
  for (std::size_t i = 0; i < 0x20; ++i) table[i] = 'u';
  table['\b'] = 'b';
  table['\f'] = 'f';
  table['\n'] = 'n';
  table['\r'] = 'r';
  table['\t'] = 't';
  table['"'] = '"';
  table['\\'] = '\\';
  return table;
}();

char escape_of(char c) { return escapes[static_cast<unsigned char>(c)]; }

// The first byte at or after `at` that needs an escape, or the end. Eight bytes a step while none of them does; a byte
// above ASCII never looks like one that does.
std::size_t next_escape(std::string_view text, std::size_t at) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t highs = 0x8080808080808080;
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, text.data() + at, sizeof word);
    const std::uint64_t quote = word ^ (ones * '"');
    const std::uint64_t backslash = word ^ (ones * '\\');
    const std::uint64_t found = (word - ones * 0x20) | (quote - ones) | (backslash - ones);
    if (found & ~word & highs) break;
  }
  while (at < text.size() && escape_of(text[at]) == 0) ++at;
  return at;
}

template <typename Number>
void append_number(std::string& out, Number number) {
  std::array<char, 32> digits;
  char* end = std::to_chars(digits.begin(), digits.end(), number).ptr;
  out.append(digits.begin(), end);
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t start = 0;;) {
    const std::size_t end = next_escape(text, start);
    out.append(text.data() + start, end - start);
    if (end == text.size()) break;
    const char escape = escape_of(text[end]);
    out += '\\';
    out += escape;
    if (escape == 'u') {
      const auto byte = static_cast<unsigned char>(text[end]);
      out += "00";
      out += hex_digits[byte >> 4];
      out += hex_digits[byte & 0x0F];
    }
    start = end + 1;
  }
  out += '"';
}

void append_integer(std::string& out, std::int64_t number) { append_number(out, number); }

void append_double(std::string& out, double number) {
  if (std::isfinite(number)) append_number(out, number);
  else out += "null";  // JSON knows neither NaN nor infinities
}

void append_base64(std::string& out, std::string_view bytes) {
  out += '"';
  callisto::append_base64(out, bytes, Base64::Padded);
  out += '"';
}

void append_value(std::string& out, const Value& value) {
  struct Visitor {
    std::string& out;
    void operator()(Null) const { out += "null"; }
    void operator()(bool flag) const { out += flag ? "true" : "false"; }
    void operator()(std::int64_t number) const { append_integer(out, number); }
    void operator()(double number) const { append_double(out, number); }
    void operator()(const std::string& text) const { append_string(out, text); }
    void operator()(DateTime moment) const {
      out += '"';
      append_iso8601(out, moment);
      out += '"';
    }
    void operator()(const Decimal& decimal) const { append_decimal(out, decimal); }
    void operator()(const Binary& binary) const { append_base64(out, binary.bytes); }
  };
  std::visit(Visitor{out}, value);
}

// A comma is due exactly where the document's last byte ends a value, so no stack of brackets is kept.
Writer& Writer::element() {
  if (out_.size() == start_) return *this;
  const char last = out_.back();
  if (last != '{' && last != '[' && last != ':' && last != ',') out_ += ',';
  return *this;
}

Writer& Writer::open(char bracket) {
  element();
  out_ += bracket;
  return *this;
}

Writer& Writer::close(char bracket) {
  out_ += bracket;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  string(name);
  out_ += ':';
  return *this;
}

Writer& Writer::string(std::string_view text) {
  element();
  append_string(out_, text);
  return *this;
}

Writer& Writer::integer(std::int64_t number) {
  element();
  append_integer(out_, number);
  return *this;
}

Writer& Writer::real(double number) {
  element();
  append_double(out_, number);
  return *this;
}

Writer& Writer::boolean(bool value) {
  element();
  out_ += value ? "true" : "false";
  return *this;
}

Writer& Writer::null() {
  element();
  out_ += "null";
  return *this;
}

}  // namespace callisto::json
