// What may be shown of a database's url. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto::app {

bool has_password(std::string_view url);
std::string without_password(std::string_view url);

std::string shell_quoted(std::string_view text);  // one word of a command line

}  // namespace callisto::app
