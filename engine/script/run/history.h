// A chain of history hooks: the last one is called, and each may call the previous one by `earlier()`. Call inside
// LuaState::run only.
#pragma once

#include "engine/script/run/current_call.h"

struct lua_State;

namespace callisto::script {

// The global word. `call` outlives the state.
void add_earlier(lua_State* lua, const CurrentCall& call);

// Calls the last hook of call.history that was not asked yet, for the record of the call; leaves what it answers on the
// stack: nil where there is none.
void call_history(lua_State* lua, const CurrentCall& call);

}  // namespace callisto::script
