// A line of a picture as data of an SVG path (https://www.w3.org/TR/SVG2/paths.html), and its arrow's tip. Pure; any
// thread.
#pragma once

#include "engine/diagram/layout.h"

#include <string>

namespace callisto::diagram {

std::string path_of(const Line& line);
std::string tip_of(const Line& line);

}  // namespace callisto::diagram
