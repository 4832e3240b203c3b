// Lua 5.1 patterns, matched with every step counted, since no deadline reaches LuaJIT's own matcher, which can run for
// ever (ARCHITECTURE.md). Views the subject and the pattern; one thread. Errors are texts in error(), never exceptions.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

class PatternMatcher {
 public:
  // `spend` hears of work done, in steps, and may end it by raising a Lua error: the matcher holds nothing across it.
  using Spend = std::function<void(std::size_t steps)>;
  PatternMatcher(std::string_view subject, std::string_view pattern, Spend spend);

  // The first match that begins at `start` or later, or exactly there where the pattern is anchored with '^'.
  bool find(std::size_t start);
  const std::string& error() const { return error_; }  // a malformed pattern; find() was false

  struct Capture {
    std::size_t begin = 0;
    std::size_t length = 0;
    bool is_position = false;  // of "()": only `begin` counts
  };
  std::size_t begin() const { return begin_; }
  std::size_t end() const { return end_; }
  const std::vector<Capture>& captures() const { return captures_; }
  bool is_anchored() const { return anchored_; }

  static bool is_plain(std::string_view pattern);  // no character in it is special

 private:
  static constexpr std::size_t none = std::string_view::npos;
  // Each takes a place in the subject and one in the pattern; the result is the end of the match, or none.
  std::size_t match(std::size_t at, std::size_t item);
  std::size_t match_nested(std::size_t at, std::size_t item);
  std::size_t match_single(std::size_t at, std::size_t item);
  std::size_t match_most(std::size_t at, std::size_t item, std::size_t item_end);
  std::size_t match_least(std::size_t at, std::size_t item, std::size_t item_end);
  std::size_t match_open(std::size_t at, std::size_t item);
  std::size_t match_close(std::size_t at, std::size_t item);
  std::size_t match_balanced(std::size_t at, std::size_t item);
  std::size_t match_frontier(std::size_t at, std::size_t item);
  std::size_t match_back_reference(std::size_t at, std::size_t item);

  std::size_t item_end(std::size_t item);
  bool is_item(std::size_t at, std::size_t item, std::size_t item_end) const;
  bool is_in_set(unsigned char c, std::size_t open, std::size_t close) const;
  std::size_t fail(const char* message);

  std::string_view subject_;
  std::string_view pattern_;
  Spend spend_;
  bool anchored_ = false;
  std::size_t depth_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::vector<Capture> captures_;
  std::string error_;
};

// Plain search, counted too; npos when there is none.
std::size_t find_plain(std::string_view subject, std::string_view needle, std::size_t start,
                       const PatternMatcher::Spend& spend);

}  // namespace callisto::script
