// A document as text again: numbers by the digits that they came with, members in their order. Any thread.
#pragma once

#include "engine/json/read.h"

#include <string>

namespace callisto::json {

std::string text_of(const Node& node);

}  // namespace callisto::json
