// The arguments of desk.search, desk.first and desk.count after the entity: a filter, a value for each '?' in it, and
// options. Every mistake is a Lua error that says what was probably meant. Call inside LuaState::run only.
#pragma once

#include "engine/script/run/current_call.h"

#include <cstdint>
#include <optional>

struct lua_State;

namespace callisto::script {

struct QueryOptions {
  bool orderby = false, top = false;  // whether it may have them
};

Host::Query read_query(lua_State* lua, const CurrentCall& call, QueryOptions allowed);
std::optional<std::int64_t> key_of_record(lua_State* lua, const CurrentCall& call, int index);  // nothing: no record
bool is_null_word(lua_State* lua, int index);                                                   // the word `null`

}  // namespace callisto::script
