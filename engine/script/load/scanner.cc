#include "engine/script/load/scanner.h"

#include <algorithm>
#include <cctype>

namespace callisto::script {
namespace {

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

}  // namespace

bool Scanner::next() {
  skip();
  if (at_ >= source_.size()) return false;
  begins_line = is_first_, is_first_ = false;
  const std::size_t start = at_;
  if (is_text(source_.substr(start, 1))) skip_text(source_[start]);
  ++at_;
  if (is_word(source_[start]))
    while (at_ < source_.size() && is_word(source_[at_])) ++at_;
  at_ = std::min(at_, source_.size());
  token = source_.substr(start, at_ - start);
  return true;
}

void Scanner::skip() {
  for (; at_ < source_.size(); ++at_) {
    const char c = source_[at_];
    if (c == '\n') ++line, indent = 0, is_first_ = true;
    else if (c == ' ' || c == '\t' || c == '\r') indent += is_first_ ? 1 : 0;
    else if (source_.substr(at_, 2) == "--") skip_comment();
    else if (is_text(source_.substr(at_, 1)) && texts_ == Texts::Skipped) skip_text(c), is_first_ = false;
    else if (const auto level = long_level()) skip_long(*level), is_first_ = false;
    else return;
  }
}

// To its last quote.
void Scanner::skip_text(char quote) {
  for (++at_; at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n'; ++at_)
    if (source_[at_] == '\\') ++at_;
}

// Of a text or comment that begins here, [[ or [==[: how many signs stand between its brackets.
std::optional<std::size_t> Scanner::long_level() const {
  if (at_ >= source_.size() || source_[at_] != '[') return std::nullopt;
  const std::size_t end = source_.find_first_not_of('=', at_ + 1);
  if (end == source_.npos || source_[end] != '[') return std::nullopt;
  return end - at_ - 1;
}

void Scanner::skip_long(std::size_t level) {
  const std::string closing = "]" + std::string(level, '=') + "]";
  const std::size_t end = std::min(source_.find(closing, at_), source_.size());
  for (; at_ < end; ++at_)
    if (source_[at_] == '\n') ++line;
  at_ += closing.size() - 1;
}

void Scanner::skip_comment() {
  at_ += 2;
  if (const auto level = long_level()) return skip_long(*level);
  while (at_ + 1 < source_.size() && source_[at_ + 1] != '\n') ++at_;
}

std::string content_of(std::string_view quoted) {
  std::string text;
  if (quoted.size() < 2) return text;
  quoted = quoted.substr(1, quoted.size() - 2);
  for (std::size_t at = 0; at < quoted.size(); ++at) {
    if (quoted[at] == '\\' && at + 1 < quoted.size()) ++at;
    text += quoted[at];
  }
  return text;
}

}  // namespace callisto::script
