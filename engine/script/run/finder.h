// `desk`: other records than the current one, for actions and hooks: desk.find, desk.search, desk.first, desk.count,
// desk.create. Call inside LuaState::run only.
#pragma once

#include "engine/script/run/current_call.h"

struct lua_State;

namespace callisto::script {

// Gives `desk` to the sandbox's chunks; once for each state, `call` outlives it. Without a host in `call` it refuses.
void add_desk(lua_State* lua, const CurrentCall& call);

}  // namespace callisto::script
