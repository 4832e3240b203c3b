#include "engine/script/load/blocks.h"

#include <algorithm>
#include <cctype>
#include <vector>

namespace callisto::script {
namespace {

bool is_word(char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)) != 0; }

// Words and brackets of a Lua text with their places; no comments, no texts.
class Scanner {
 public:
  explicit Scanner(std::string_view source) : source_(source) {}

  int line = 1;
  std::size_t indent = 0;    // of the line of the token
  bool begins_line = false;  // the token is the first of its line
  std::string_view token;

  bool next() {
    skip();
    if (at_ >= source_.size()) return false;
    begins_line = is_first_, is_first_ = false;
    const std::size_t start = at_++;
    if (is_word(source_[start]))
      while (at_ < source_.size() && is_word(source_[at_])) ++at_;
    token = source_.substr(start, at_ - start);
    return true;
  }

 private:
  void skip() {
    for (; at_ < source_.size(); ++at_) {
      const char c = source_[at_];
      if (c == '\n') ++line, indent = 0, is_first_ = true;
      else if (c == ' ' || c == '\t' || c == '\r') indent += is_first_ ? 1 : 0;
      else if (source_.substr(at_, 2) == "--") skip_comment();
      else if (c == '"' || c == '\'') skip_text(c), is_first_ = false;
      else if (const auto level = long_level()) skip_long(*level), is_first_ = false;
      else return;
    }
  }

  void skip_text(char quote) {
    for (++at_; at_ < source_.size() && source_[at_] != quote && source_[at_] != '\n'; ++at_)
      if (source_[at_] == '\\') ++at_;
  }

  // Of a text or comment that begins here, [[ or [==[: how many signs stand between its brackets.
  std::optional<std::size_t> long_level() const {
    if (at_ >= source_.size() || source_[at_] != '[') return std::nullopt;
    const std::size_t end = source_.find_first_not_of('=', at_ + 1);
    if (end == source_.npos || source_[end] != '[') return std::nullopt;
    return end - at_ - 1;
  }

  void skip_long(std::size_t level) {
    const std::string closing = "]" + std::string(level, '=') + "]";
    const std::size_t end = std::min(source_.find(closing, at_), source_.size());
    for (; at_ < end; ++at_)
      if (source_[at_] == '\n') ++line;
    at_ += closing.size() - 1;
  }

  void skip_comment() {
    at_ += 2;
    if (const auto level = long_level()) return skip_long(*level);
    while (at_ + 1 < source_.size() && source_[at_ + 1] != '\n') ++at_;
  }

  std::string_view source_;
  std::size_t at_ = 0;
  bool is_first_ = true;
};

struct Open {
  OpenBlock block;
  std::size_t indent = 0;
  bool awaits_do = false;  // for and while: their own `do` opens nothing
};

bool is_opener(std::string_view token) {
  for (const char* word : {"function", "if", "for", "while", "repeat", "do", "{", "("})
    if (token == word) return true;
  return false;
}

bool is_closer(std::string_view token) {
  for (const char* word : {"end", "until", "}", ")"})
    if (token == word) return true;
  return false;
}

}  // namespace

std::string OpenBlock::closer() const {
  if (opener == "{") return "}";
  if (opener == "(") return ")";
  return opener == "repeat" ? "until" : "end";
}

std::optional<OpenBlock> find_open_block(std::string_view source, int last_line) {
  Scanner scanner(source);
  std::vector<Open> open;
  while (scanner.next() && scanner.line <= last_line) {
    const std::string_view token = scanner.token;
    if (token == "do" && !open.empty() && open.back().awaits_do) {
      open.back().awaits_do = false;
    } else if (is_opener(token)) {
      open.push_back({{std::string(token), scanner.line}, scanner.indent, token == "for" || token == "while"});
    } else if (is_closer(token)) {
      if (open.empty()) return std::nullopt;
      const bool is_left_of_it = scanner.begins_line && scanner.indent < open.back().indent;
      if (open.back().block.closer() != token || is_left_of_it) return open.back().block;
      open.pop_back();
    }
  }
  if (open.empty()) return std::nullopt;
  return open.back().block;
}

std::vector<NullComparison> find_null_comparisons(std::string_view source) {
  std::vector<NullComparison> found;
  Scanner scanner(source);
  std::string_view before, last;  // the tokens before this one
  int line = 0;                   // of the last `null`
  const auto compares = [](std::string_view first, std::string_view second) {
    return second == "=" && (first == "=" || first == "~");
  };
  while (scanner.next()) {
    const std::string_view token = scanner.token;
    if (token == "null" && compares(before, last)) found.push_back({std::string(before) + "=", scanner.line});
    else if (before == "null" && compares(last, token)) found.push_back({std::string(last) + "=", line});
    if (token == "null") line = scanner.line;
    before = last, last = token;
  }
  return found;
}

}  // namespace callisto::script
