// Percent-encoding (RFC 3986 2.1) of what becomes part of a url or of a form. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace callisto {

// Everything but unreserved characters becomes %XX, lower-case hex. Appends.
void append_encoded(std::string& out, std::string_view text);

// name=value behind what is there, with '&' between.
void append_field(std::string& form, std::string_view name, std::string_view value);

}  // namespace callisto
