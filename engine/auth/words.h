// Lists of words as one column keeps them: separated by blanks, or by commas, since people type these. Pure; any
// thread.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace callisto::auth {

std::vector<std::string> split_words(std::string_view text);
std::string join_words(const std::vector<std::string>& words);

}  // namespace callisto::auth
