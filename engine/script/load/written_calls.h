// Calls with literal arguments in a Lua text, found without running it, so that a slip is reported before the rule is
// needed: require "lib.hours", desk.search("call", "State == ?"). Pure; any thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

struct WrittenRequire {
  std::string name;  // empty: no text stands there
  int line = 0;
};
std::vector<WrittenRequire> find_required(std::string_view source);

// desk.search, desk.first and desk.count with the entity and the filter written out.
struct WrittenSearch {
  std::string entity, filter;
  int line = 0;  // of the filter
};
std::vector<WrittenSearch> find_searches(std::string_view source);

// desk:find, where desk.find is meant.
struct ColonCall {
  std::string function;
  int line = 0;
};
std::vector<ColonCall> find_colon_calls(std::string_view source);

}  // namespace callisto::script
