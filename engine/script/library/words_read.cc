#include "engine/script/library/words_read.h"

#include "engine/script/library/dsl.h"

#include <memory>

#include <lua.hpp>

namespace callisto::script {
namespace {

struct Closed {
  void operator()(lua_State* lua) const { lua_close(lua); }
};
using State = std::unique_ptr<lua_State, Closed>;

// With all of Lua, which sees texts and runs none of them. The function of words_read.lua is at its bottom.
State make_state() {
  State state(luaL_newstate());
  if (!state) return state;
  lua_State* lua = state.get();
  luaL_openlibs(lua);
  const std::string_view text = program_text("words_read.lua");
  if (luaL_loadbuffer(lua, text.data(), text.size(), "=words_read.lua") != 0 || lua_pcall(lua, 0, 1, 0) != 0)
    state.reset();
  return state;
}

WordRead read_one(lua_State* lua) {
  WordRead read;
  lua_rawgeti(lua, -1, 1);
  read.word = lua_tostring(lua, -1);
  lua_rawgeti(lua, -2, 2);
  read.line = static_cast<int>(lua_tointeger(lua, -1));
  lua_rawgeti(lua, -3, 3);
  read.member = lua_tostring(lua, -1);
  lua_pop(lua, 3);
  return read;
}

}  // namespace

std::vector<WordRead> words_read(std::string_view text) {
  thread_local const State state = make_state();
  std::vector<WordRead> words;
  lua_State* lua = state.get();
  if (!lua) return words;
  lua_pushvalue(lua, 1);
  lua_pushlstring(lua, text.data(), text.size());
  if (lua_pcall(lua, 1, 1, 0) == 0 && lua_istable(lua, -1))
    for (int i = 1; i <= static_cast<int>(lua_objlen(lua, -1)); ++i) {
      lua_rawgeti(lua, -1, i);
      words.push_back(read_one(lua));
      lua_pop(lua, 1);
    }
  lua_settop(lua, 1);
  return words;
}

}  // namespace callisto::script
