// Percent-decoding of paths and queries (RFC 3986; '+' in a query value is a space, API rule 1.4). Pure; any
// thread.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::http {

// Split at '/' first, then each segment decoded once; a doubled or trailing slash gives no segment. Refused (400): a
// broken escape, %00, a control character, '\', text that is not UTF-8.
Result<std::vector<std::string>> decode_path(std::string_view raw_path);

// name=value pairs in order; nothing between two '&' is a pair without name and value. The same refusals (but for '\'
// and control characters in values, which are data; NUL is 400).
Result<std::vector<std::pair<std::string, std::string>>> decode_query(std::string_view raw_query);

}  // namespace callisto::http
