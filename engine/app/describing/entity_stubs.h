// Definitions for editors (LuaLS) of the words that a catalog adds for scripts: a class for the records of each entity,
// the session with its lists, and desk. The same text each time. Pure; any thread.
#pragma once

#include "engine/script/program.h"

#include <string>

namespace callisto::app {

std::string entity_stubs(const script::Program& program);

}  // namespace callisto::app
