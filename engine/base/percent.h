// Percent-encoding (RFC 3986 2.1) of texts for a url or a form, and back. Pure; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace callisto {

// Everything but unreserved characters becomes %XX, lower-case hex. Appends.
void append_encoded(std::string& out, std::string_view text);

// name=value behind what is there, with '&' between.
void append_field(std::string& form, std::string_view name, std::string_view value);

// Each %XX is its byte, a '%' without two digits behind it stays. Nothing where there is no escape.
std::optional<std::string> decoded_once(std::string_view text);

}  // namespace callisto
