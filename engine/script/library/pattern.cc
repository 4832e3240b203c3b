#include "engine/script/library/pattern.h"

#include <cctype>
#include <cstring>
#include <utility>

namespace callisto::script {
namespace {

constexpr std::size_t most_captures = 32;
constexpr std::size_t most_depth = 200;
constexpr std::size_t still_open = static_cast<std::size_t>(-2);  // length of a capture before its ')'
constexpr char escape = '%';

// Letters are ASCII in every locale.
bool is_class(unsigned char c, char letter) {
  bool result = false;
  switch (std::tolower(static_cast<unsigned char>(letter))) {
    case 'a':
      result = c < 128 && std::isalpha(c) != 0;
      break;
    case 'c':
      result = c < 128 && std::iscntrl(c) != 0;
      break;
    case 'd':
      result = c >= '0' && c <= '9';
      break;
    case 'g':
      result = c > ' ' && c < 127;
      break;
    case 'l':
      result = c >= 'a' && c <= 'z';
      break;
    case 'p':
      result = c < 128 && std::ispunct(c) != 0;
      break;
    case 's':
      result = c == ' ' || (c >= '\t' && c <= '\r');
      break;
    case 'u':
      result = c >= 'A' && c <= 'Z';
      break;
    case 'w':
      result = c < 128 && std::isalnum(c) != 0;
      break;
    case 'x':
      result = c < 128 && std::isxdigit(c) != 0;
      break;
    case 'z':
      result = c == 0;
      break;
    default:
      return static_cast<unsigned char>(letter) == c;  // %. and its like stand for themselves
  }
  return std::isupper(static_cast<unsigned char>(letter)) ? !result : result;
}

}  // namespace

PatternMatcher::PatternMatcher(std::string_view subject, std::string_view pattern, Spend spend)
    : subject_(subject), pattern_(pattern), spend_(std::move(spend)) {
  anchored_ = !pattern_.empty() && pattern_[0] == '^';
  if (anchored_) pattern_.remove_prefix(1);
}

bool PatternMatcher::is_plain(std::string_view pattern) { return pattern.find_first_of("^$*+?.([%-") == none; }

bool PatternMatcher::find(std::size_t start) {
  for (std::size_t at = start; at <= subject_.size(); ++at) {
    captures_.clear();
    depth_ = 0;
    std::size_t end = match(at, 0);
    if (!error_.empty()) return false;
    if (end != none) {
      begin_ = at;
      end_ = end;
      for (const Capture& each : captures_)
        if (each.length == still_open) {
          error_ = "unfinished capture";
          return false;
        }
      return true;
    }
    if (anchored_) return false;
  }
  return false;
}

std::size_t PatternMatcher::fail(const char* message) {
  if (error_.empty()) error_ = message;
  return none;
}

std::size_t PatternMatcher::match(std::size_t at, std::size_t item) {
  if (++depth_ > most_depth) return fail("pattern too complex");
  std::size_t end = match_nested(at, item);
  --depth_;
  return end;
}

// Items without a choice are followed in a loop; only choices nest.
std::size_t PatternMatcher::match_nested(std::size_t at, std::size_t item) {
  while (item < pattern_.size()) {
    spend_(1);
    char c = pattern_[item];
    char next = item + 1 < pattern_.size() ? pattern_[item + 1] : '\0';
    if (c == '(') return match_open(at, item);
    if (c == ')') return match_close(at, item);
    if (c == '$' && item + 1 == pattern_.size()) return at == subject_.size() ? at : none;
    if (c == escape && next == 'b') {
      at = match_balanced(at, item + 2);
      item += 4;
    } else if (c == escape && next == 'f') {
      std::size_t set_end = match_frontier(at, item + 2);
      if (set_end == none) return none;
      item = set_end;
    } else if (c == escape && next >= '0' && next <= '9') {
      at = match_back_reference(at, item + 1);
      item += 2;
    } else {
      std::size_t end = item_end(item);
      if (end == none) return none;
      char suffix = end < pattern_.size() ? pattern_[end] : '\0';
      if (suffix == '*' || suffix == '+' || suffix == '-' || suffix == '?') return match_single(at, item);
      if (!is_item(at, item, end)) return none;
      ++at;
      item = end;
    }
    if (at == none) return none;
  }
  return at;
}

// An item with a suffix.
std::size_t PatternMatcher::match_single(std::size_t at, std::size_t item) {
  std::size_t end = item_end(item);
  switch (pattern_[end]) {
    case '*':
      return match_most(at, item, end);
    case '+':
      return is_item(at, item, end) ? match_most(at + 1, item, end) : none;
    case '-':
      return match_least(at, item, end);
    default:
      break;
  }
  if (is_item(at, item, end))
    if (std::size_t with = match(at + 1, end + 1); with != none || !error_.empty()) return with;
  return match(at, end + 1);
}

std::size_t PatternMatcher::match_most(std::size_t at, std::size_t item, std::size_t item_end) {
  std::size_t count = 0;
  for (; is_item(at + count, item, item_end); ++count) spend_(1);
  for (;; --count) {
    std::size_t end = match(at + count, item_end + 1);
    if (end != none || !error_.empty() || count == 0) return end;
  }
}

std::size_t PatternMatcher::match_least(std::size_t at, std::size_t item, std::size_t item_end) {
  for (;; ++at) {
    std::size_t end = match(at, item_end + 1);
    if (end != none || !error_.empty()) return end;
    if (!is_item(at, item, item_end)) return none;
  }
}

std::size_t PatternMatcher::match_open(std::size_t at, std::size_t item) {
  if (captures_.size() >= most_captures) return fail("too many captures");
  bool is_position = item + 1 < pattern_.size() && pattern_[item + 1] == ')';
  captures_.push_back({at, is_position ? 0 : still_open, is_position});
  std::size_t end = match(at, item + (is_position ? 2 : 1));
  if (end == none && error_.empty()) captures_.pop_back();
  return end;
}

std::size_t PatternMatcher::match_close(std::size_t at, std::size_t item) {
  std::size_t open = captures_.size();
  while (open > 0 && captures_[open - 1].length != still_open) --open;
  if (open == 0) return fail("')' without '(' in the pattern");
  captures_[open - 1].length = at - captures_[open - 1].begin;
  std::size_t end = match(at, item + 1);
  if (end == none && error_.empty()) captures_[open - 1].length = still_open;
  return end;
}

// %bxy: from an x to the y that closes it. `item` is the place of x.
std::size_t PatternMatcher::match_balanced(std::size_t at, std::size_t item) {
  if (item + 1 >= pattern_.size()) return fail("'%b' needs two characters");
  if (at >= subject_.size() || subject_[at] != pattern_[item]) return none;
  std::size_t open = 1;
  for (std::size_t i = at + 1; i < subject_.size(); ++i) {
    spend_(1);
    if (subject_[i] == pattern_[item + 1]) {
      if (--open == 0) return i + 1;
    } else if (subject_[i] == pattern_[item]) {
      ++open;
    }
  }
  return none;
}

// %f[set]: the place where the set begins. The result is the item after the set.
std::size_t PatternMatcher::match_frontier(std::size_t at, std::size_t item) {
  if (item >= pattern_.size() || pattern_[item] != '[') return fail("missing '[' after '%f' in the pattern");
  std::size_t end = item_end(item);
  if (end == none) return none;
  unsigned char before = at == 0 ? '\0' : static_cast<unsigned char>(subject_[at - 1]);
  unsigned char here = at < subject_.size() ? static_cast<unsigned char>(subject_[at]) : '\0';
  return !is_in_set(before, item, end - 1) && is_in_set(here, item, end - 1) ? end : none;
}

std::size_t PatternMatcher::match_back_reference(std::size_t at, std::size_t item) {
  auto index = static_cast<std::size_t>(pattern_[item] - '1');  // %0 wraps round and is refused with the rest
  if (index >= captures_.size() || captures_[index].length == still_open) return fail("invalid capture index");
  std::string_view text = subject_.substr(captures_[index].begin, captures_[index].length);
  spend_(1 + text.size() / 16);
  return subject_.substr(at, text.size()) == text ? at + text.size() : none;
}

std::size_t PatternMatcher::item_end(std::size_t item) {
  char c = pattern_[item++];
  if (c == escape) return item < pattern_.size() ? item + 1 : fail("malformed pattern (ends with '%')");
  if (c != '[') return item;
  if (item < pattern_.size() && pattern_[item] == '^') ++item;
  do {  // a ']' that comes first stands for itself
    if (item >= pattern_.size()) return fail("malformed pattern (missing ']')");
    if (pattern_[item++] == escape) ++item;
  } while (item >= pattern_.size() || pattern_[item] != ']');
  return item + 1;
}

bool PatternMatcher::is_item(std::size_t at, std::size_t item, std::size_t item_end) const {
  if (at >= subject_.size()) return false;
  auto c = static_cast<unsigned char>(subject_[at]);
  switch (pattern_[item]) {
    case '.':
      return true;
    case escape:
      return is_class(c, pattern_[item + 1]);
    case '[':
      return is_in_set(c, item, item_end - 1);
    default:
      return static_cast<unsigned char>(pattern_[item]) == c;
  }
}

bool PatternMatcher::is_in_set(unsigned char c, std::size_t open, std::size_t close) const {
  bool wanted = true;
  std::size_t i = open + 1;
  if (pattern_[i] == '^') {
    wanted = false;
    ++i;
  }
  for (; i < close; ++i) {
    spend_(1);
    auto low = static_cast<unsigned char>(pattern_[i]);
    if (pattern_[i] == escape) {
      if (is_class(c, pattern_[++i])) return wanted;
    } else if (i + 2 < close && pattern_[i + 1] == '-') {
      i += 2;
      if (low <= c && c <= static_cast<unsigned char>(pattern_[i])) return wanted;
    } else if (low == c) {
      return wanted;
    }
  }
  return !wanted;
}

std::size_t find_plain(std::string_view subject, std::string_view needle, std::size_t start,
                       const PatternMatcher::Spend& spend) {
  if (needle.empty()) return start <= subject.size() ? start : std::string_view::npos;
  for (std::size_t at = start; at + needle.size() <= subject.size(); ++at) {
    at = subject.find(needle[0], at);
    if (at == std::string_view::npos || at + needle.size() > subject.size()) break;
    spend(1 + needle.size() / 64);
    if (subject.compare(at, needle.size(), needle) == 0) return at;
  }
  return std::string_view::npos;
}

}  // namespace callisto::script
