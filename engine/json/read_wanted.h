// Reads only the wanted part of a foreign JSON text, as json/read.h reads. Errors: bad_format with line and column. Any
// thread.
#pragma once

#include "engine/json/read.h"

#include <functional>
#include <string>
#include <string_view>

namespace callisto::json {

// An object of which some members matter. Those that `is_wanted` are read as by parse(); of the others the first of
// each name is kept where it is a string, a number, a Boolean or null, and whatever else they hold is passed over.
using Wanted = std::function<bool(std::string_view name)>;
Result<Node> parse_wanted(const std::string& text, const Wanted& is_wanted, const Limits& limits = {});

}  // namespace callisto::json
