// The end of the range of all texts with one beginning, in an order of folded code points. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto::text {

// Folded; every text that begins with `prefix`, ignoring case, comes before it. Others may too.
std::string end_of_prefix(std::string_view prefix);

}  // namespace callisto::text
