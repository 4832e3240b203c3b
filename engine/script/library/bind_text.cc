// text.lower(text), .upper, .fold, .trim and .split(text, separator): for all of Unicode, as filters compare texts;
// those of `string` know only ASCII.
#include "engine/base/text.h"

#include "engine/script/library/bindings.h"
#include "engine/script/library/lua_state.h"

#include <string>
#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

std::string_view checked(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* bytes = luaL_checklstring(lua, index, &size);
  const std::string_view words(bytes, size);
  if (!text::is_utf8(words)) luaL_argerror(lua, index, "is no UTF-8 text");
  LuaState::of(lua).spend(lua, 1 + size / 8);
  return words;
}

void push(lua_State* lua, std::string_view words) {
  check_text_size(lua, words.size());
  lua_pushlstring(lua, words.data(), words.size());
}

int lower(lua_State* lua) { return push(lua, text::lower(checked(lua, 1))), 1; }
int upper(lua_State* lua) { return push(lua, text::upper(checked(lua, 1))), 1; }
int fold(lua_State* lua) { return push(lua, text::fold(checked(lua, 1))), 1; }
int trim(lua_State* lua) { return push(lua, text::trim_white(checked(lua, 1))), 1; }

// The parts between the separators, empty ones too; one part where there is none.
int split(lua_State* lua) {
  std::string_view rest = checked(lua, 1);
  const std::string_view separator = checked(lua, 2);
  if (separator.empty()) return luaL_argerror(lua, 2, "a separator has at least one character");
  lua_newtable(lua);
  for (int count = 1;; ++count) {
    const std::size_t end = rest.find(separator);
    push(lua, rest.substr(0, end));
    lua_rawseti(lua, -2, count);
    if (end == rest.npos) return 1;
    rest.remove_prefix(end + separator.size());
    LuaState::of(lua).spend(lua, 1);
  }
}

}  // namespace

void bind_text(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"lower", lower}, {"upper", upper}, {"fold", fold},
                                    {"trim", trim},   {"split", split}, {nullptr, nullptr}};
  luaL_register(lua, nullptr, functions);
}

}  // namespace callisto::script
