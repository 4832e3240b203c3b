// guid.parse(text): the 36 characters in small letters, or nil. Braces, parentheses and missing hyphens are accepted.
#include "engine/script/library/bindings.h"

#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::size_t digits = 32;
constexpr std::size_t full_length = 36;

bool is_hyphen_place(std::size_t i) { return i == 8 || i == 13 || i == 18 || i == 23; }

std::optional<std::string> canonical(std::string_view text) {
  if (text.size() == full_length + 2) {
    bool is_wrapped = (text.front() == '{' && text.back() == '}') || (text.front() == '(' && text.back() == ')');
    if (!is_wrapped) return std::nullopt;
    text = text.substr(1, full_length);
  }
  bool has_hyphens = text.size() == full_length;
  if (!has_hyphens && text.size() != digits) return std::nullopt;
  std::string result;
  for (char c : text) {
    if (is_hyphen_place(result.size())) {
      result += '-';
      if (has_hyphens) {
        if (c != '-') return std::nullopt;
        continue;
      }
    }
    auto byte = static_cast<unsigned char>(c);
    if (!std::isxdigit(byte)) return std::nullopt;
    result += static_cast<char>(std::tolower(byte));
  }
  return result;
}

int parse(lua_State* lua) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  if (auto guid = canonical({text, size})) lua_pushlstring(lua, guid->data(), full_length);
  else lua_pushnil(lua);
  return 1;
}

}  // namespace

void bind_guid(lua_State* lua) {
  lua_pushcfunction(lua, parse);
  lua_setfield(lua, -2, "parse");
}

}  // namespace callisto::script
