#include "engine/query/parse/lexer.h"

#include "engine/base/text.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace callisto::query {

namespace {

using Kind = Token::Kind;

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_name_start(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name_part(char c) { return is_name_start(c) || is_digit(c); }

void append_utf8(std::string& out, unsigned code) {
  auto put = [&out](unsigned byte) { out += static_cast<char>(static_cast<unsigned char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | (code >> 6));
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | (code >> 12));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | (code >> 18));
    put(0x80 | ((code >> 12) & 0x3F));
    put(0x80 | ((code >> 6) & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

// What word processors make of " and '.
bool is_typographic_quote(std::string_view character) {
  constexpr std::string_view quotes[] = {"\u201c", "\u201d", "\u201e", "\u2018",
                                         "\u2019", "\u201a", "\u00ab", "\u00bb"};
  return std::find(std::begin(quotes), std::end(quotes), character) != std::end(quotes);
}

constexpr const char* no_operator = ", which is no operator";
constexpr const char* nul_character = ", but a text cannot hold the character NUL";
constexpr const char* unclosed_text = ", a text without its closing quote";
constexpr const char* unknown_escape = R"(, with an unknown escape; \" \\ \n \r \t and \uXXXX are known)";
constexpr const char* half_surrogate = ", with half of a surrogate pair";

}  // namespace

void Lexer::skip_blanks() {
  while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
}

Token Lexer::token(Kind kind, std::size_t length) {
  Token result{kind, at_, text_.substr(at_, length), {}, nullptr};
  at_ += result.text.size();
  return result;
}

Token Lexer::invalid(std::size_t end, const char* problem) {
  Token result = token(Kind::Invalid, end - at_);
  result.problem = problem;
  return result;
}

Token Lexer::next() {
  skip_blanks();
  if (at_ == text_.size()) return token(Kind::End, 0);
  const char c = text_[at_];
  if (is_name_start(c)) return name();
  if (is_digit(c) || ((c == '-' || c == '+') && is_digit(ahead(1)))) return number();
  if (c == '"') return quoted_text();
  if (c == '@') return augmenter();
  return symbol();
}

Token Lexer::symbol() {
  const char second = ahead(1);
  switch (text_[at_]) {
    case '(':
      return token(Kind::Open, 1);
    case ')':
      return token(Kind::Close, 1);
    case ',':
      return token(Kind::Comma, 1);
    case '.':
      return token(Kind::Dot, 1);
    case ':':
      return token(Kind::Colon, 1);
    case '*':
      return token(Kind::Star, 1);
    case '?':
      return token(Kind::Placeholder, 1);
    case '=':
      if (second == '=' && ahead(2) == '=') return invalid(at_ + 3, no_operator);
      if (second == '<' || second == '>') return invalid(at_ + 2, no_operator);
      return token(Kind::Equal, second == '=' ? 2 : 1);
    case '!':
      if (second == '=' && ahead(2) == '=') return invalid(at_ + 3, no_operator);
      return second == '=' ? token(Kind::NotEqual, 2) : token(Kind::Not, 1);
    case '<':
      if (second == '>') return invalid(at_ + 2, no_operator);
      return second == '=' ? token(Kind::LessEqual, 2) : token(Kind::Less, 1);
    case '>':
      return second == '=' ? token(Kind::GreaterEqual, 2) : token(Kind::Greater, 1);
    case '&':
      return second == '&' ? token(Kind::And, 2) : invalid(at_ + 1, no_operator);
    case '|':
      return second == '|' ? token(Kind::Or, 2) : invalid(at_ + 1, no_operator);
    case '\'':
      return invalid(at_ + 1, ", but texts stand in double quotes");
    default:
      break;
  }
  // A character of several bytes is shown whole.
  std::size_t end = at_ + 1;
  while (end < text_.size() && (static_cast<unsigned char>(text_[end]) & 0xC0) == 0x80) ++end;
  if (is_typographic_quote(text_.substr(at_, end - at_)))
    return invalid(end, ", but texts stand in straight double quotes");
  return invalid(end, ", which has no meaning here");
}

Token Lexer::name() {
  std::size_t end = at_ + 1;
  while (end < text_.size() && is_name_part(text_[end])) ++end;
  return token(Kind::Name, end - at_);
}

Token Lexer::augmenter() {
  if (!is_name_start(ahead(1))) return invalid(at_ + 1, ", but no augmenter's name follows");
  const std::size_t at = at_++;
  Token result = name();
  result.kind = Kind::Augmenter;
  result.at = at;
  return result;
}

// API rule 2.7: optional sign, digits, optional fraction and exponent; nothing may stick to it (2L, 0xff, 1.e25).
Token Lexer::number() {
  auto digits = [this](std::size_t from) {
    while (from < text_.size() && is_digit(text_[from])) ++from;
    return from;
  };
  auto at = [this](std::size_t index) { return index < text_.size() ? text_[index] : '\0'; };
  std::size_t end = digits(at_ + 1);
  if (at(end) == '.' && is_digit(at(end + 1))) end = digits(end + 1);
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1u : 0u;
    if (is_digit(at(end + 1 + sign))) end = digits(end + 1 + sign);
  }
  if (!is_name_part(at(end)) && at(end) != '.') return token(Kind::Number, end - at_);
  while (is_name_part(at(end)) || at(end) == '.') ++end;
  return invalid(end, ", which is no number");
}

bool Lexer::hex4(std::size_t at, unsigned& unit) const {
  if (at + 4 > text_.size()) return false;
  unit = 0;
  for (std::size_t i = at; i < at + 4; ++i) {
    const char c = text_[i];
    unsigned digit = 0;
    if (is_digit(c)) digit = static_cast<unsigned>(c - '0');
    else if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a') + 10;
    else if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A') + 10;
    else return false;
    unit = unit * 16 + digit;
  }
  return true;
}

// at_ stands behind the backslash; null when all is well.
const char* Lexer::escape(std::string& value) {
  if (at_ == text_.size()) return unclosed_text;
  const char c = text_[at_++];
  switch (c) {
    case '"':
    case '\\':
      value += c;
      return nullptr;
    case 'n':
      value += '\n';
      return nullptr;
    case 't':
      value += '\t';
      return nullptr;
    case 'r':
      value += '\r';
      return nullptr;
    case 'u':
      break;
    default:
      return unknown_escape;
  }
  unsigned code = 0, low = 0;
  if (!hex4(at_, code)) return unknown_escape;
  at_ += 4;
  if (code == 0) return nul_character;
  if (code >= 0xDC00 && code <= 0xDFFF) return half_surrogate;
  if (code >= 0xD800 && code <= 0xDBFF) {
    const bool paired = ahead(0) == '\\' && ahead(1) == 'u' && hex4(at_ + 2, low) && low >= 0xDC00 && low <= 0xDFFF;
    if (!paired) return half_surrogate;
    at_ += 6;
    code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
  }
  append_utf8(value, code);
  return nullptr;
}

Token Lexer::quoted_text() {
  const std::size_t start = at_++;
  Token result{Kind::Text, start, {}, {}, nullptr};
  const char* problem = nullptr;
  while (!problem) {
    const std::size_t plain = at_;
    while (at_ < text_.size() && text_[at_] != '"' && text_[at_] != '\\' && text_[at_] != '\0') ++at_;
    result.value.append(text_.substr(plain, at_ - plain));
    if (at_ == text_.size()) problem = unclosed_text;
    else if (text_[at_] == '\0') problem = nul_character;
    else if (text_[at_++] == '"') break;
    else problem = escape(result.value);
  }
  if (problem) result.kind = Kind::Invalid;
  result.problem = problem;
  result.text = text_.substr(start, at_ - start);
  return result;
}

Token Lexer::next_raw() {
  skip_blanks();
  if (ahead(0) == '"') return quoted_text();
  std::size_t end = text_.find_first_of(",()\"", at_);
  if (end == std::string_view::npos) end = text_.size();
  std::size_t last = end;
  while (last > at_ && is_blank(text_[last - 1])) --last;
  Token result = token(Kind::Raw, last - at_);
  at_ = end;
  return result;
}

Token TokenReader::take() {
  Token taken = std::move(current_);
  current_ = lexer_.next();
  return taken;
}

Token TokenReader::take_before_raw() {
  Token taken = std::move(current_);
  current_ = lexer_.next_raw();
  return taken;
}

bool TokenReader::skip(Kind kind) {
  if (!at(kind)) return false;
  take();
  return true;
}

Result<Token> TokenReader::expect(Kind kind, const char* description) {
  if (!at(kind)) return unexpected({description});
  return take();
}

Error TokenReader::unexpected(std::vector<std::string> expected) const {
  std::string suggestion(operator_for_word(current_.text));
  if (suggestion == current_.text) suggestion.clear();
  std::string_view found = current_.text;
  if (at(Kind::Augmenter)) found = source_.text().substr(current_.at, found.size() + 1);
  std::string problem;
  if (at(Kind::Invalid)) problem = "found " + text::quoted(found) + current_.problem;
  else if (const auto advice = advice_for_word(found); !advice.empty())
    problem = "found " + text::quoted(found) + ", which is no operator; " + std::string(advice);
  if (!problem.empty()) return source_.refused(current_.at, found, problem, std::move(suggestion), std::move(expected));
  return source_.unexpected(current_.at, found, std::move(expected), std::move(suggestion));
}

}  // namespace callisto::query
