// Base64 without padding, RFC 4648: section 4 for stored hashes, section 5 (URL safe) for tokens. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callisto::auth {

enum class Base64 { Standard, Url };

std::string encode_base64(std::string_view bytes, Base64 alphabet);
// Nothing where a character is foreign, the length impossible or a left-over bit set: each text has one meaning.
std::optional<std::string> decode_base64(std::string_view text, Base64 alphabet);

}  // namespace callisto::auth
