// The parts of lua/spec*.lua inside one state, on top of what a host gives. Call inside LuaState::run only.
#pragma once

#include "engine/script/spec_state.h"

#include <initializer_list>

struct lua_State;

namespace callisto::script {

// Leaves the table of the host on the stack: its functions by name, `place`, and what each of `parts` returns by the
// name of its file. A part gets that table with the parts before it. `natives` outlives the state.
void push_spec_host(lua_State* lua, const Natives& natives, std::initializer_list<const char*> parts);

}  // namespace callisto::script
