// Lines of code in files of rules: where they are, and how often they ran. Plain values; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::script {

using LinesRun = std::map<std::string, std::map<int, std::uint64_t>, std::less<>>;  // how often, by file

// By the bytecode, of which nothing is run: the lines on which functions of the text do something, in order; the
// definition around them is none of them. Empty where the text is no Lua.
std::vector<int> lines_of_code(std::string_view text);

}  // namespace callisto::script
