// Base64 (RFC 4648), strict: no foreign characters, and only one spelling of each value. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callisto {

// Section 4 with its padding, section 4 without (stored hashes), section 5 without (tokens, JOSE). Lines: the first,
// where blanks, tabs and line breaks are passed over as RFC 2045 6.8 wants it of a decoder.
enum class Base64 { Padded, Unpadded, Url, Lines };

void append_base64(std::string& out, std::string_view bytes, Base64 form);
std::string encode_base64(std::string_view bytes, Base64 form);

// Nothing where a character is foreign, the length impossible, the padding wrong or a left-over bit set.
std::optional<std::string> decode_base64(std::string_view text, Base64 form);

}  // namespace callisto
