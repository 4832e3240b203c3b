// Bytes as hexadecimal digits, in lower case. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto {

std::string hex(std::string_view bytes);

}  // namespace callisto
