// Base64 (RFC 4648 section 4), strict: padding required, no blanks. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callisto {

std::optional<std::string> decode_base64(std::string_view text);

}  // namespace callisto
