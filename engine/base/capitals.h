// Capitals of names, by which names are compared. Pure; any thread. ICU stays inside capitals.cc.
#pragma once

#include <string_view>

namespace callisto::text {

// Whether no text of other letters has the same upper(): not so of "admın", whose capitals are those of "admin". Σ is σ
// in small letters, but ς at the end of a word.
bool has_own_capitals(std::string_view text);

}  // namespace callisto::text
