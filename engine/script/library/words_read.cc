#include "engine/script/library/words_read.h"

#include "engine/script/code_lines.h"
#include "engine/script/library/dsl.h"

#include <memory>

#include <lua.hpp>

namespace callisto::script {
namespace {

struct Closed {
  void operator()(lua_State* lua) const { lua_close(lua); }
};
using State = std::unique_ptr<lua_State, Closed>;

// With all of Lua, which sees texts and runs none of them. The functions of words_read.lua are at its bottom.
State make_state() {
  State state(luaL_newstate());
  if (!state) return state;
  lua_State* lua = state.get();
  luaL_openlibs(lua);  // which switches the compiler on: it writes code, and systemd's MemoryDenyWriteExecute ends that
  luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
  const std::string_view text = program_text("words_read.lua");
  if (luaL_loadbuffer(lua, text.data(), text.size(), "=words_read.lua") != 0 || lua_pcall(lua, 0, 2, 0) != 0)
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

// What one of the two functions answers; `read` takes what is on top of the stack.
template <class Item>
std::vector<Item> items_by(int function, std::string_view text, Item (*read)(lua_State*)) {
  thread_local const State state = make_state();
  std::vector<Item> items;
  lua_State* lua = state.get();
  if (!lua) return items;
  lua_pushvalue(lua, function);
  lua_pushlstring(lua, text.data(), text.size());
  if (lua_pcall(lua, 1, 1, 0) == 0 && lua_istable(lua, -1))
    for (int i = 1; i <= static_cast<int>(lua_objlen(lua, -1)); ++i) {
      lua_rawgeti(lua, -1, i);
      items.push_back(read(lua));
      lua_pop(lua, 1);
    }
  lua_settop(lua, 2);
  return items;
}

}  // namespace

std::vector<WordRead> words_read(std::string_view text) { return items_by<WordRead>(1, text, read_one); }

std::vector<int> lines_of_code(std::string_view text) {
  return items_by<int>(2, text, [](lua_State* lua) { return static_cast<int>(lua_tointeger(lua, -1)); });
}

}  // namespace callisto::script
