// What the tokens of a Lua text show without running it. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

struct OpenBlock {
  std::string opener;  // "if", "function", "{"
  int line = 0;
  std::string closer() const;  // "end", "until", "}"
};

// Which block lacks its end, for the messages of syntax errors: a guess by indentation and nesting. Looks no further
// than `last_line`, where the syntax error is.
std::optional<OpenBlock> find_open_block(std::string_view source, int last_line);

// A comparison with the word `null`, which no value that code reads is equal to.
struct NullComparison {
  std::string how;  // "==" or "~="
  int line = 0;
};
std::vector<NullComparison> find_null_comparisons(std::string_view source);

}  // namespace callisto::script
