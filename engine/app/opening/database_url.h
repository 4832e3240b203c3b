// The url of a database, and what may be shown of it. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto::app {

bool has_password(std::string_view url);
std::string without_password(std::string_view url);
// The url of PostgreSQL where none but a server that takes writes will do, unless it says what will.
std::string of_primary(std::string_view url);

std::string shell_quoted(std::string_view text);  // one word of a command line

}  // namespace callisto::app
