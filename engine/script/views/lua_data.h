// Converts Data to Lua values and back. Call inside LuaState::run only.
#pragma once

#include "engine/script/data.h"

struct lua_State;

namespace callisto::script {

// A null stands as `null` inside a list or a map, so that it can be told from what is missing; alone it is nil.
void push_data(lua_State* lua, const Data& data);

// Raises for functions and the like, and for tables that hold themselves. An empty table is a map.
Data to_data(lua_State* lua, int index);

}  // namespace callisto::script
