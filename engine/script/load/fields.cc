#include "engine/script/load/fields.h"

#include <lua.hpp>

namespace callisto::script {

std::string Fields::text(const char* name) const {
  std::string result;
  with(name, [&] {
    std::size_t size = 0;
    if (lua_type(lua_, -1) != LUA_TSTRING) return;
    const char* characters = lua_tolstring(lua_, -1, &size);
    result.assign(characters, size);
  });
  return result;
}

bool Fields::flag(const char* name, bool otherwise) const {
  with(name, [&] {
    if (lua_isboolean(lua_, -1)) otherwise = lua_toboolean(lua_, -1) != 0;
  });
  return otherwise;
}

std::optional<int> Fields::whole(const char* name) const {
  std::optional<int> result;
  with(name, [&] {
    if (lua_type(lua_, -1) == LUA_TNUMBER) result = static_cast<int>(lua_tointeger(lua_, -1));
  });
  return result;
}

std::vector<std::string> Fields::texts(const char* name) const {
  std::vector<std::string> result;
  each(name, [&] {
    if (lua_type(lua_, -1) == LUA_TSTRING) result.emplace_back(lua_tostring(lua_, -1));
  });
  return result;
}

std::map<std::string, std::string> Fields::names(const char* name) const {
  std::map<std::string, std::string> result;
  with(name, [&] {
    if (!lua_istable(lua_, -1)) return;
    for (lua_pushnil(lua_); lua_next(lua_, -2); lua_pop(lua_, 1))
      if (lua_type(lua_, -2) == LUA_TSTRING && lua_type(lua_, -1) == LUA_TSTRING)
        result.emplace(lua_tostring(lua_, -2), lua_tostring(lua_, -1));
  });
  return result;
}

std::optional<catalog::Grants> Fields::grants(const char* name) const {
  using catalog::Grant;
  std::optional<catalog::Grants> grants;
  with(name, [&] {
    if (!lua_istable(lua_, -1)) return;
    grants.emplace();
    for (lua_pushnil(lua_); lua_next(lua_, -2); lua_pop(lua_, 1)) {
      Grant& grant = (*grants)[lua_tostring(lua_, -2)];
      if (lua_type(lua_, -1) == LUA_TSTRING) grant = {Grant::Kind::Where, lua_tostring(lua_, -1)};
      else grant.kind = lua_toboolean(lua_, -1) ? Grant::Kind::Always : Grant::Kind::Never;
    }
  });
  return grants;
}

bool Fields::is_code(const char* name) const {
  bool result = false;
  with(name, [&] { result = lua_isfunction(lua_, -1); });
  return result;
}

void Fields::with(const char* name, const std::function<void()>& use) const {
  lua_getfield(lua_, -1, name);
  use();
  lua_pop(lua_, 1);
}

void Fields::each(const char* name, const std::function<void()>& use) const {
  with(name, [&] {
    if (!lua_istable(lua_, -1)) return;
    int count = static_cast<int>(lua_objlen(lua_, -1));
    for (int i = 1; i <= count; ++i) {
      lua_rawgeti(lua_, -1, i);
      use();
      lua_pop(lua_, 1);
    }
  });
}

catalog::Lines read_lines(lua_State* lua) {
  catalog::Lines lines;
  Fields(lua).with("lines", [&] {
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1))
      lines.emplace(lua_tostring(lua, -2), static_cast<int>(lua_tointeger(lua, -1)));
  });
  return lines;
}

}  // namespace callisto::script
