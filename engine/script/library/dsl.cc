#include "engine/script/library/dsl.h"

#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/program.h"

#include <algorithm>

#include <lua.hpp>

#include "lua_texts.h"

namespace callisto::script {
namespace {

const char dsl_key = 0;

// Level 0 is this function, 1 the noun, 2 the file.
int calling_line(lua_State* lua) {
  lua_Debug frame{};
  int line = 0;
  if (lua_getstack(lua, 2, &frame) && lua_getinfo(lua, "l", &frame)) line = std::max(0, frame.currentline);
  lua_pushinteger(lua, line);
  return 1;
}

int find_for_lua(lua_State* lua, bool as_option) {
  const auto& source = *static_cast<const std::string_view*>(lua_touserdata(lua, lua_upvalueindex(1)));
  std::size_t size = 0;
  const char* word = luaL_checklstring(lua, 1, &size);
  auto from = static_cast<int>(luaL_checkinteger(lua, 2));
  LuaState::of(lua).spend(lua, 1 + source.size() / 64);
  lua_pushinteger(lua, size == 0 ? from : find_line(source, {word, size}, from, as_option));
  return 1;
}

int find_option(lua_State* lua) { return find_for_lua(lua, true); }
int find_text(lua_State* lua) { return find_for_lua(lua, false); }

// Takes a noun from the top of the stack. Where a library has its name already, the library can be called as well.
void add_noun(lua_State* lua, const std::string& name) {
  if (!push_library(lua, name.c_str())) {
    add_global(lua, name.c_str());
    return;
  }
  lua_getmetatable(lua, -1);
  push_dsl(lua, "as_call");
  lua_pushvalue(lua, -4);
  lua_call(lua, 1, 1);
  lua_setfield(lua, -2, "__call");
  lua_pop(lua, 3);
}

}  // namespace

std::string_view program_text(std::string_view file) {
  for (const auto& [name, text] : embedded::lua_texts::files)
    if (name == file) return text;
  return {};
}

void open_dsl(lua_State* lua, const std::string_view& source) {
  void* text = const_cast<std::string_view*>(&source);
  lua_pushlightuserdata(lua, const_cast<char*>(&dsl_key));
  lua_pushcfunction(lua, calling_line);
  lua_pushlightuserdata(lua, text);
  lua_pushcclosure(lua, find_option, 1);
  lua_pushlightuserdata(lua, text);
  lua_pushcclosure(lua, find_text, 1);
  run_chunk(lua, program_text("schema.lua"), "@schema.lua");
  run_chunk(lua, program_text("dsl.lua"), "@dsl.lua", 4);
  lua_rawset(lua, LUA_REGISTRYINDEX);
  push_dsl(lua, "nouns");
  for (const std::string& noun : noun_names(lua)) {
    lua_getfield(lua, -1, noun.c_str());
    add_noun(lua, noun);
  }
  lua_pop(lua, 1);
}

void push_dsl(lua_State* lua, const char* field) {
  lua_pushlightuserdata(lua, const_cast<char*>(&dsl_key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  lua_getfield(lua, -1, field);
  lua_remove(lua, -2);
}

std::vector<std::string> noun_names(lua_State* lua) {
  std::vector<std::string> names;
  for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) names.emplace_back(lua_tostring(lua, -2));
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace callisto::script
