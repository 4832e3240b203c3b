// A script's tables of values by name, checked against the catalog: every mistake is a Lua error that says what was
// probably meant. Call inside LuaState::run only.
#pragma once

#include "engine/script/host.h"

#include <string_view>

struct lua_State;

namespace callisto::script {

// A property of the entity by its name; what mirrors another is that one.
const catalog::Property& checked_property(lua_State* lua, const catalog::Entity& entity, std::string_view name);
Value checked_value(lua_State* lua, int index, const catalog::Property& property);

// { Parameter or Property = value }. `action`: null where the entity has none of that kind.
NamedValues read_input(lua_State* lua, int index, const catalog::Entity& entity, const catalog::Action* action);
Host::Match read_match(lua_State* lua, int index, const catalog::Entity& entity);  // { Property = value or list }
NamedValues read_row(lua_State* lua, int index);                                   // values as they are

}  // namespace callisto::script
