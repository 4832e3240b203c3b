#include "engine/script/views/lua_data.h"

#include "engine/script/views/values.h"

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr int deepest = 32;

void push_inner(lua_State* lua, const Data& data) {
  if (data.kind == Data::Kind::Value && is_null(data.value)) lua_pushlightuserdata(lua, nullptr);
  else push_data(lua, data);
}

Data read(lua_State* lua, int index, int depth);

Data read_table(lua_State* lua, int index, int depth) {
  if (depth > deepest) luaL_error(lua, "tables more than %d deep in each other", deepest);
  luaL_checkstack(lua, 4, "tables too deep");
  Data data;
  const int count = static_cast<int>(lua_objlen(lua, index));
  data.kind = count > 0 ? Data::Kind::List : Data::Kind::Map;
  for (int i = 1; i <= count; ++i) {
    lua_rawgeti(lua, index, i);
    data.items.push_back(read(lua, lua_gettop(lua), depth + 1));
    lua_pop(lua, 1);
  }
  if (count > 0) return data;
  for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING) luaL_error(lua, "names are texts, not %s", luaL_typename(lua, -2));
    data.members.push_back({lua_tostring(lua, -2), read(lua, lua_gettop(lua), depth + 1)});
  }
  return data;
}

Data read(lua_State* lua, int index, int depth) {
  if (lua_istable(lua, index)) return read_table(lua, index, depth);
  auto value = to_value(lua, index);
  if (!value) luaL_error(lua, "%s cannot stand here", describe(lua, index).c_str());
  return *std::move(value);
}

}  // namespace

void push_data(lua_State* lua, const Data& data) {
  luaL_checkstack(lua, 4, "data too deep");
  if (data.kind == Data::Kind::Value) return push_value(lua, data.value);
  lua_createtable(lua, static_cast<int>(data.items.size()), static_cast<int>(data.members.size()));
  int count = 0;
  for (const Data& item : data.items) {
    push_inner(lua, item);
    lua_rawseti(lua, -2, ++count);
  }
  for (const DataMember& member : data.members) {
    lua_pushlstring(lua, member.name.data(), member.name.size());
    push_inner(lua, member.value);
    lua_rawset(lua, -3);
  }
}

Data to_data(lua_State* lua, int index) { return read(lua, index, 0); }

}  // namespace callisto::script
