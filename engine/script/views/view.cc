#include "engine/script/views/view.h"

#include "engine/base/text.h"
#include "engine/script/host.h"

#include <exception>
#include <new>
#include <string>
#include <utility>

namespace callisto::script {

void register_view(lua_State* lua, const char& key, const char* name, lua_CFunction read, lua_CFunction write,
                   const CurrentCall& call) {
  void* owner = const_cast<CurrentCall*>(&call);
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_newtable(lua);
  lua_pushlightuserdata(lua, owner);
  lua_pushcclosure(lua, read, 1);
  lua_setfield(lua, -2, "__index");
  lua_pushlightuserdata(lua, owner);
  lua_pushcclosure(lua, write, 1);
  lua_setfield(lua, -2, "__newindex");
  lua_pushstring(lua, name);
  lua_setfield(lua, -2, "__metatable");
  lua_rawset(lua, LUA_REGISTRYINDEX);
}

void push_metatable(lua_State* lua, const char& key) {
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
}

void push_view(lua_State* lua, const char& key, View view) {
  new (lua_newuserdata(lua, sizeof(View))) View(view);
  push_metatable(lua, key);
  lua_setmetatable(lua, -2);
}

void check_statements(lua_State* lua, const CurrentCall& call) {
  if (!call.host || call.host->statements() <= call.most_statements) return;
  LuaState::of(lua).stop(lua, "made more database statements than the setting scripts.statements allows");
}

const CurrentCall& call_of(lua_State* lua) {
  return *static_cast<const CurrentCall*>(lua_touserdata(lua, lua_upvalueindex(1)));
}

bool is_view(lua_State* lua, int index, const char& key) {
  if (lua_type(lua, index) != LUA_TUSERDATA || !lua_getmetatable(lua, index)) return false;
  push_metatable(lua, key);
  bool is_same = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 2);
  return is_same;
}

// A script cannot reach the metamethods themselves, so argument 1 is a View.
Read read_of(lua_State* lua) {
  const CurrentCall& call = call_of(lua);
  View view = *static_cast<const View*>(lua_touserdata(lua, 1));
  if (view.call != call.number) raise_over(lua);
  std::size_t size = 0;
  const char* field = luaL_checklstring(lua, 2, &size);
  return {call, view, {field, size}};
}

void end_with(lua_State* lua, Error error) {
  if (is_mistake(error)) {
    luaL_error(lua, "%s", error.log_detail.c_str());
    std::terminate();  // it does not return, but its header does not say so
  }
  LuaState::of(lua).end(lua, {Failure::Kind::Host, error.message, {}, std::move(error)});
}

int raise_over(lua_State* lua) { return luaL_error(lua, "this record or session belongs to a call that is over"); }

int raise_unknown(lua_State* lua, std::string_view what, std::string_view field,
                  const std::vector<std::string_view>& candidates) {
  std::string message = std::string(what) + ' ' + text::quoted(field);
  if (std::string near = text::nearest(field, candidates); !near.empty()) message += "; did you mean '" + near + "'?";
  luaL_error(lua, "%s", message.c_str());
  std::terminate();  // as in end_with()
}

}  // namespace callisto::script
