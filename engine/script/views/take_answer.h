// Takes what an action's code returns, in the form that its `answers` declares. Call inside LuaState::run only.
#pragma once

#include "engine/script/host.h"

struct lua_State;

namespace callisto::script {

// The value on top of the stack, which is not false: tells the host. What does not fit is a Lua error that says what
// was meant. `record`: what the action is done to.
void take_answer(lua_State* lua, const catalog::Action& action, Host& host, Host::Handle record);

}  // namespace callisto::script
