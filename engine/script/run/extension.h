// Asks an augmenter for its values. Call inside LuaState::run only.
#pragma once

#include "engine/script/run/current_call.h"

#include <vector>

struct lua_State;

namespace callisto::script {

// Takes the extension's function from the top of the stack and adds one answer for each of the call's rows.
void extend_page(lua_State* lua, const CurrentCall& call, Answers& answers);

// Takes the value on top of the stack, which must be what the augmenter says that it returns.
Value take_result(lua_State* lua, const catalog::Augmenter& augmenter);

}  // namespace callisto::script
