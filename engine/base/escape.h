// Makes foreign text safe for a terminal or a log: one line without control characters. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto {

// Control characters (ASVS 16.4.1), C1 too, become escapes such as \n and \u001b, and so does every byte above ASCII
// where the text is not UTF-8. For JSON quotes and backslashes get theirs.
std::string escaped(std::string_view text, bool json = false);

}  // namespace callisto
