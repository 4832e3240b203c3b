// The call of scripts/sign-in.lua: a provider's claims go in, what the person is here comes out. Call inside
// LuaState::run only; every mistake of the script is a Lua error.
#pragma once

#include "engine/script/state.h"

struct lua_State;

namespace callisto::script {

// As a table. Other names than those of the rule's `claims` raise: a slip in one would take roles away.
void push_claims(lua_State* lua, const SignInRule& rule, const json::Node& claims);

// Of the two values on top of the stack.
SignInAnswer read_sign_in_answer(lua_State* lua, const Program& program);

}  // namespace callisto::script
