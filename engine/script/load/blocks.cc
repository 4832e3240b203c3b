#include "engine/script/load/blocks.h"

#include "engine/script/load/scanner.h"

#include <algorithm>
#include <vector>

namespace callisto::script {
namespace {

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
