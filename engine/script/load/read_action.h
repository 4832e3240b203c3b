// Reads actions, states and hooks from the clean tables that `check` of lua/dsl.lua makes, like read_definition.h. Call
// inside LuaState::run only.
#pragma once

#include "engine/catalog/builder.h"

#include <string>

struct lua_State;

namespace callisto::script {

catalog::StateSetDefinition read_states(lua_State* lua, const std::string& file);
catalog::ActionDefinition read_action(lua_State* lua, const std::string& file);
catalog::HooksDefinition read_hooks(lua_State* lua, const std::string& file);

}  // namespace callisto::script
