// Spellings of bytes that OpenID Connect uses: base64url without padding (RFC 7515 section 2), percent-encoding, and
// the SHA-256 of PKCE and at_hash. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callisto::oidc {

std::string encode_base64url(std::string_view bytes);
// Nothing where a character is foreign, the length impossible or a left-over bit set: each text has one meaning.
std::optional<std::string> decode_base64url(std::string_view text);

std::string percent_encoded(std::string_view text);  // everything but unreserved characters
// name=value behind what is there, with '&' between.
void append_field(std::string& form, std::string_view name, std::string_view value);

std::string sha256(std::string_view bytes);

// In a time that depends on the lengths alone.
bool equal_secrets(std::string_view a, std::string_view b);

}  // namespace callisto::oidc
