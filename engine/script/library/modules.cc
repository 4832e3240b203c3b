#include "engine/script/library/modules.h"

#include "engine/base/text.h"
#include "engine/script/library/sandbox.h"

#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

const char modules_key = 0;  // registry key of the frozen tables, by number from 1
const char members_key = 0;  // and of those beneath

void push_list(lua_State* lua, const char& key) {
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  if (lua_istable(lua, -1)) return;
  lua_pop(lua, 1);
  lua_newtable(lua);
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_pushvalue(lua, -2);
  lua_rawset(lua, LUA_REGISTRYINDEX);
}

// The value on top of the stack, which it takes, becomes that of `number`.
void keep(lua_State* lua, const char& key, std::size_t number) {
  push_list(lua, key);
  lua_insert(lua, -2);
  lua_rawseti(lua, -2, static_cast<int>(number) + 1);
  lua_pop(lua, 1);
}

void push_kept(lua_State* lua, const char& key, std::size_t number) {
  push_list(lua, key);
  lua_rawgeti(lua, -1, static_cast<int>(number) + 1);
  lua_remove(lua, -2);
}

int refuse_member(lua_State* lua) {
  return luaL_error(lua, "'%s' has no '%s'", lua_tostring(lua, lua_upvalueindex(1)),
                    lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : luaL_typename(lua, 2));
}

// require(name), of a chunk whose upvalue has what it requires, by name.
int require(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TSTRING);
  lua_pushvalue(lua, 1);
  lua_rawget(lua, lua_upvalueindex(1));
  if (lua_isnil(lua, -1))
    return luaL_error(
        lua, "there is no '%s' to be required here; write the name of a file in lib out: require \"lib.hours\"",
        lua_tostring(lua, 1));
  return 1;
}

std::string last_part(const std::string& name) { return name.substr(name.rfind('.') + 1); }

void push_require(lua_State* lua, const Source& source) {
  lua_newtable(lua);
  for (const auto& [name, number] : source.required) {
    if (number == library_number) {
      if (!push_library(lua, last_part(name).c_str())) continue;
    } else {
      push_kept(lua, modules_key, number);
    }
    lua_setfield(lua, -2, name.c_str());
  }
  lua_pushcclosure(lua, require, 1);
}

}  // namespace

void run_source(lua_State* lua, const Source& source, const char* name, int arguments, int results) {
  if (source.required.empty()) return run_chunk(lua, source.text, name, arguments, results);
  push_require(lua, source);
  run_chunk_with(lua, source.text, name, "require", arguments, results);
}

void add_module(lua_State* lua, const Source& module, std::size_t number) {
  run_source(lua, module, ("@" + module.file).c_str(), 0, 1);
  if (!lua_istable(lua, -1) || lua_getmetatable(lua, -1) != 0)
    luaL_error(lua, "%s:1: a file in lib returns a plain table of what it shares: return { ... }", module.file.c_str());
  const std::string name = module.file.substr(module.file.rfind("lib/"));
  lua_newtable(lua);
  lua_pushlstring(lua, name.data(), name.size());
  lua_pushcclosure(lua, refuse_member, 1);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
  lua_pushvalue(lua, -1);
  keep(lua, members_key, number);
  freeze(lua, name.c_str());
  keep(lua, modules_key, number);
}

void push_module_members(lua_State* lua, std::size_t number) { push_kept(lua, members_key, number); }

}  // namespace callisto::script
