// pcall with its limits, `reject`, `forbid` and `null`.
#include "engine/base/text.h"
#include "engine/script/library/bindings.h"
#include "engine/script/library/lua_state.h"

#include <algorithm>
#include <lua.hpp>

namespace callisto::script {
namespace {

// As Lua's, but nested at most so deep, and what ends the call (the deadline, a refusal) goes through it.
int protected_call(lua_State* lua) {
  luaL_checkany(lua, 1);
  LuaState::Nesting nesting(lua);
  int status = lua_pcall(lua, lua_gettop(lua) - 1, LUA_MULTRET, 0);
  if (status != 0 && LuaState::of(lua).must_end()) return lua_error(lua);
  lua_pushboolean(lua, status == 0);
  lua_insert(lua, 1);
  return lua_gettop(lua);
}

constexpr std::size_t longest_refusal = 4096;  // bytes of what a client is told

int refuse(lua_State* lua, Failure::Kind kind) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  // It goes into a JSON answer as it is: a script may have cut a character in two.
  LuaState::of(lua).end(lua, {kind, text::well_formed({text, std::min(size, longest_refusal)}), {}, {}});
  return 0;
}

int reject(lua_State* lua) { return refuse(lua, Failure::Kind::Reject); }
int forbid(lua_State* lua) { return refuse(lua, Failure::Kind::Forbid); }

}  // namespace

void bind_base(lua_State* lua) {
  lua_pushcfunction(lua, protected_call);
  lua_setfield(lua, -2, "pcall");
  lua_pushcfunction(lua, reject);
  lua_setfield(lua, -2, "reject");
  lua_pushcfunction(lua, forbid);
  lua_setfield(lua, -2, "forbid");
  lua_pushlightuserdata(lua, nullptr);
  lua_setfield(lua, -2, "null");
}

}  // namespace callisto::script
