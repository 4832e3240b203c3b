// Views: userdata through which a script reads and writes the host's objects, only while its call lasts. Call inside
// LuaState::run only.
#pragma once

#include "engine/script/library/lua_state.h"
#include "engine/script/run/current_call.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include <lua.hpp>

namespace callisto::script {

struct View {
  std::uint64_t call;
  std::size_t record;  // its Handle
};

// A metatable in the registry, by the address of `key`; `read` and `write` get the call as upvalue 1. `name` is what
// scripts are told that it is.
void register_view(lua_State* lua, const char& key, const char* name, lua_CFunction read, lua_CFunction write,
                   const CurrentCall& call);
void push_metatable(lua_State* lua, const char& key);
void push_view(lua_State* lua, const char& key, View view);

const CurrentCall& call_of(lua_State* lua);  // upvalue 1 of the C function that runs
bool is_view(lua_State* lua, int index, const char& key);

struct Read {
  const CurrentCall& call;
  View view;
  std::string_view field;
};
Read read_of(lua_State* lua);  // what an __index or __newindex is about; raises where the call is over
int raise_over(lua_State* lua);

// "<what> 'fiedl'; did you mean 'field'?"
[[noreturn]] int raise_unknown(lua_State* lua, std::string_view what, std::string_view field,
                               const std::vector<std::string_view>& candidates);

// Raises where the host has made more statements than one call of a script may set going.
void check_statements(lua_State* lua, const CurrentCall& call);

// Ends the call with an error of the host; what is a mistake of the script is an error in its line.
[[noreturn]] void end_with(lua_State* lua, Error error);

// What a function of the host answered; an error ends the call.
template <typename T>
T unwrap(lua_State* lua, const CurrentCall& call, Result<T> result) {
  if (!result) end_with(lua, std::move(result).error());
  if (*call.inner_error) end_with(lua, **call.inner_error);
  check_statements(lua, call);
  if constexpr (!std::is_void_v<T>) return *std::move(result);
}

}  // namespace callisto::script
