// Values as bytes of a token, and back, exactly: a letter for the type, then the value. Pure; any thread.
#pragma once

#include "engine/base/value.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::api {

// Of every type but Binary, which has no order.
void append_value_bytes(std::string& out, const Value& value);
std::optional<std::vector<Value>> values_of(std::string_view bytes);  // nothing: these are none

}  // namespace callisto::api
