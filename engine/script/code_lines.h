// Where code stands in a file of rules, by its bytecode: nothing of it is run. Any thread.
#pragma once

#include <string_view>
#include <vector>

namespace callisto::script {

// The lines on which functions of the text do something, in order; the definition around them is none of them. Empty
// where the text is no Lua.
std::vector<int> lines_of_code(std::string_view text);

}  // namespace callisto::script
