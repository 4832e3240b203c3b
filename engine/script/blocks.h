// Which block of a Lua text lacks its end, for the messages of syntax errors. A guess by indentation and nesting. Pure;
// any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callisto::script {

struct OpenBlock {
  std::string opener;  // "if", "function", "{"
  int line = 0;
  std::string closer() const;  // "end", "until", "}"
};

// Looks no further than `last_line`, where the syntax error is.
std::optional<OpenBlock> find_open_block(std::string_view source, int last_line);

}  // namespace callisto::script
