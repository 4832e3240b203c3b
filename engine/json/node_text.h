// Turns a document back into text: numbers with the digits they came with, members in their order. Any thread.
#pragma once

#include "engine/json/read.h"

#include <string>

namespace callisto::json {

std::string text_of(const Node& node);

}  // namespace callisto::json
