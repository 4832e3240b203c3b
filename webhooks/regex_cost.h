// Estimates what a regular expression (ECMAScript, as libstdc++ reads it) costs, before it is compiled: counted repeats
// copy what they repeat, and a lookahead is tried at every character of the name. Pure; any thread.
#pragma once

#include <cstddef>
#include <string_view>

namespace callisto::webhooks {

inline constexpr std::size_t longest_name = 255;  // in characters; longer ones are cut

struct RegexCost {
  std::size_t steps = 0;  // per character of a name; at most most_steps + 1
  std::size_t depth = 0;  // of nested groups

  static constexpr std::size_t most_steps = 5000;
  static constexpr std::size_t deepest = 16;
};

RegexCost cost_of(std::string_view expression);  // of a broken one: anything

}  // namespace callisto::webhooks
