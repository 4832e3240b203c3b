// log.info(...), log.warn(...): a line in the server's log, with the place that wrote it.
#include "engine/base/log.h"

#include "engine/base/text.h"
#include "engine/script/library/bindings.h"
#include "engine/script/library/lua_state.h"

#include <algorithm>
#include <string>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::size_t longest = 2048;  // bytes of one line

// As print has it: what is no text is told by tostring.
std::string words_of(lua_State* lua) {
  std::string words;
  for (int i = 1, count = lua_gettop(lua); i <= count; ++i) {
    lua_getfield(lua, lua_upvalueindex(1), "tostring");
    lua_pushvalue(lua, i);
    lua_call(lua, 1, 1);
    std::size_t size = 0;
    const char* part = lua_tolstring(lua, -1, &size);
    if (!part) luaL_error(lua, "'tostring' must answer a text");
    if (i > 1) words += ' ';
    words.append(part, std::min(size, longest));
    lua_pop(lua, 1);
    if (words.size() > longest) break;
  }
  if (words.size() > longest) words.resize(longest), words += "...";
  return text::well_formed(words);
}

int write(lua_State* lua, log::Level level) {
  LuaState& state = LuaState::of(lua);
  if (lua_gettop(lua) == 0) return luaL_error(lua, "log needs a text to write: log.info(\"...\")");
  luaL_where(lua, 1);
  const std::string place = state.chunks().restored(lua_tostring(lua, -1));
  lua_pop(lua, 1);
  const std::string words = words_of(lua);
  if (const auto line = state.admit_line(place + words)) log::write(level, *line);
  return 0;
}

int info(lua_State* lua) { return write(lua, log::Level::Info); }
int warn(lua_State* lua) { return write(lua, log::Level::Warning); }

void add(lua_State* lua, const char* name, lua_CFunction function) {
  lua_newtable(lua);
  lua_getglobal(lua, "tostring");
  lua_setfield(lua, -2, "tostring");
  lua_pushcclosure(lua, function, 1);
  lua_setfield(lua, -2, name);
}

}  // namespace

void bind_log(lua_State* lua) {
  add(lua, "info", info);
  add(lua, "warn", warn);
}

}  // namespace callisto::script
