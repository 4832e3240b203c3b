// HMAC-SHA-256 (RFC 2104) and a comparison whose time does not reveal where two secrets differ. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto {

std::string hmac_sha256(std::string_view key, std::string_view message);  // 32 bytes

// Time depends on the lengths alone.
bool equal_in_constant_time(std::string_view a, std::string_view b);

}  // namespace callisto
