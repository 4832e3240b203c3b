// The parameters of a header such as Content-Disposition, and the ways to write names in them that are not ASCII. Pure;
// any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::http {

// name="value" with backslash escapes of quotes and backslashes, or name=token (RFC 9110 5.6.4 and 5.6.6), behind the
// first ';'; in order, names in lower case.
using HeaderParameters = std::vector<std::pair<std::string, std::string>>;
HeaderParameters parameters_of(std::string_view header);

// The value of filename* and its like (RFC 8187 3.2): charset'language'escapes, of UTF-8 or ISO-8859-1. Nothing where
// it is of another charset or broken.
std::optional<std::string> decode_extended(std::string_view value);

// A text of encoded words (RFC 2047 2) alone, such as "=?utf-8?B?w5w=?=", which some clients write into a file's name;
// nothing where it is any other text.
std::optional<std::string> decode_words(std::string_view text);

}  // namespace callisto::http
