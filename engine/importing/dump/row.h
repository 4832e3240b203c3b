// One value of a dump, as the database stores it: integers and reals are numbers, a real always with a point or an
// exponent; texts are strings; what JSON cannot express is an object: {"bytes": base64}, {"text": base64} where it is
// not UTF-8, {"real": "inf"}. Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/json/read.h"

#include <string>

namespace callisto::importing {

void append_stored(std::string& out, const Value& value);  // never null
Result<Value> read_stored(const json::Node& node);

}  // namespace callisto::importing
