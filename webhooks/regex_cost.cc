#include "webhooks/regex_cost.h"

#include <algorithm>
#include <vector>

namespace callisto::webhooks {

namespace {

constexpr std::size_t too_many = RegexCost::most_steps + 1;

std::size_t plus(std::size_t a, std::size_t b) { return std::min(a + b, too_many); }
std::size_t times(std::size_t a, std::size_t b) { return std::min(a * std::min(b, too_many), too_many); }

struct Group {
  std::size_t before = 0;  // steps of what stands before `last` in it
  std::size_t last = 0;    // steps of the last atom, which a quantifier repeats
  std::size_t factor = 1;

  void add(std::size_t steps) {
    before = plus(before, last);
    last = steps;
  }
  std::size_t all() const { return times(plus(plus(before, last), 1), factor); }
};

class Meter {
 public:
  explicit Meter(std::string_view text) : text_(text) {}

  RegexCost measure() {
    while (at_ < text_.size()) step(text_[at_++]);
    while (groups_.size() > 1) close();
    cost_.steps = groups_.front().all();
    return cost_;
  }

 private:
  void step(char c) {
    switch (c) {
      case '\\':
        at_ += at_ < text_.size() ? 1 : 0;
        return groups_.back().add(1);
      case '[':
        skip_class();
        return groups_.back().add(1);
      case '(':
        return open();
      case ')':
        return close();
      case '{':
        return repeat();
      default:
        groups_.back().add(1);
    }
  }

  void open() {
    const bool lookahead = text_.substr(at_).starts_with("?=") || text_.substr(at_).starts_with("?!");
    if (at_ < text_.size() && text_[at_] == '?') at_ += 2;
    groups_.push_back({0, 0, lookahead ? longest_name : 1});
    cost_.depth = std::max(cost_.depth, groups_.size() - 1);
  }

  void close() {
    if (groups_.size() == 1) return;
    const std::size_t steps = groups_.back().all();
    groups_.pop_back();
    groups_.back().add(steps);
  }

  // {3}, {3,} and {3,7}.
  void repeat() {
    std::size_t most = 0;
    std::size_t number = 0;
    for (; at_ < text_.size() && text_[at_] != '}'; ++at_) {
      const char c = text_[at_];
      number = c >= '0' && c <= '9' ? plus(times(number, 10), static_cast<std::size_t>(c - '0')) : 0;
      most = std::max(most, number);
    }
    ++at_;
    groups_.back().last = times(groups_.back().last, plus(most, 1));
  }

  // As libstdc++ reads it: the first ] ends, but for one behind a backslash or of [:alpha:], [.x.], [=x=].
  void skip_class() {
    for (; at_ < text_.size() && text_[at_] != ']'; ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '[' && at_ + 1 < text_.size() &&
                 std::string_view(":.=").find(text_[at_ + 1]) != std::string_view::npos) {
        const std::size_t end = text_.find(text_[at_ + 1], at_ + 2);
        if (end == std::string_view::npos) break;
        at_ = end + 1;
      }
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<Group> groups_{Group{}};
  RegexCost cost_;
};

}  // namespace

RegexCost cost_of(std::string_view expression) { return Meter(expression).measure(); }

}  // namespace callisto::webhooks
