// Which events a desk can raise, as far as its files show: the names in its actions' `raises`, and every quoted text in
// a file whose code raises events, since the name may be anywhere in it. Names that code puts together are unknown.
#pragma once

#include "engine/script/program.h"

#include <set>
#include <string>

namespace callisto::testing {

std::set<std::string> event_names(const script::Program& program);

}  // namespace callisto::testing
