// Turns the plain tables that `read` of lua/import.lua makes into structures. Call inside LuaState::run only.
#pragma once

#include "engine/catalog/problems.h"
#include "engine/script/import_map.h"

struct lua_State;

namespace callisto::script {

// Reads the table on top of the stack and leaves it there.
MapDefinition read_import_map(lua_State* lua, const Source& source, catalog::Problems& problems);

}  // namespace callisto::script
