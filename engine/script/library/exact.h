// Values that a Lua number cannot hold without loss: DateTime, Decimal, Binary, and Long beyond 2^53. Opaque userdata
// that compare with their own kind, print themselves and, for dates, subtract to milliseconds. Call inside
// LuaState::run only.
#pragma once

#include "engine/base/value.h"

#include <optional>

struct lua_State;

namespace callisto::script {

void register_exact(lua_State* lua);  // once for each state, before anything is pushed
void push_exact(lua_State* lua, DateTime value);
void push_exact(lua_State* lua, Decimal value);
void push_exact(lua_State* lua, const Binary& value);
void push_exact(lua_State* lua, std::int64_t value);
std::optional<Value> to_exact(lua_State* lua, int index);  // nothing where it is something else

}  // namespace callisto::script
