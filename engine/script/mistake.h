// What a Host answers where a script asks for what it may not: the script's own error, told in its line. Any thread.
#pragma once

#include "engine/base/error.h"

#include <string>

namespace callisto::script {

Error mistake(std::string what);
bool is_mistake(const Error& error);

}  // namespace callisto::script
