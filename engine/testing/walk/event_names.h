// Which events a desk can raise, as far as its files tell: what its actions say in `raises`, and every text in quotes
// of a file with code that raises some, since a name may stand elsewhere in it. Names that code puts together are
// unknown.
#pragma once

#include "engine/script/program.h"

#include <set>
#include <string>

namespace callisto::testing {

std::set<std::string> event_names(const script::Program& program);

}  // namespace callisto::testing
