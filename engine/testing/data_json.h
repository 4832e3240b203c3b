// Converts the Data of specs to JSON and back. Pure; any thread.
#pragma once

#include "engine/json/read.h"
#include "engine/script/data.h"

#include <string>

namespace callisto::testing {

std::string to_json(const script::Data& data);
script::Data from_json(const json::Node& node);

}  // namespace callisto::testing
