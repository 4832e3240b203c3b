#include "engine/script/library/guard.h"

#include <cmath>

#include <lua.hpp>

namespace callisto::script {
namespace {

void push(lua_State* lua, int reference) { lua_rawgeti(lua, LUA_REGISTRYINDEX, reference); }

bool is_nan(lua_State* lua, int index) {
  return lua_type(lua, index) == LUA_TNUMBER && std::isnan(lua_tonumber(lua, index));
}

// Whether the two values on top of the stack are one; takes them.
bool take_equal(lua_State* lua) {
  const bool equal = lua_rawequal(lua, -1, -2) != 0 || (is_nan(lua, -1) && is_nan(lua, -2));
  lua_pop(lua, 2);
  return equal;
}

void push_metatable(lua_State* lua) {
  if (lua_getmetatable(lua, -1) == 0) lua_pushnil(lua);
}

}  // namespace

void Guard::watch(lua_State* lua, const std::string& name) {
  take(lua, name);
  while (!waiting_.empty()) {
    const Waiting next = waiting_.back();
    waiting_.pop_back();
    push(lua, next.reference);
    if (lua_istable(lua, -1)) take_table(lua, next.reference, next.name);
    else take_function(lua, next.reference);
    lua_pop(lua, 1);
  }
}

// Of the value on top of the stack, which it takes: remembers it where there is something to look into.
void Guard::take(lua_State* lua, const std::string& name) {
  const void* place = lua_topointer(lua, -1);
  const bool is_open = lua_istable(lua, -1) || (lua_isfunction(lua, -1) && lua_iscfunction(lua, -1) == 0);
  if (!is_open || !seen_.insert(place).second) return lua_pop(lua, 1);
  waiting_.push_back({luaL_ref(lua, LUA_REGISTRYINDEX), name});
}

void Guard::take_function(lua_State* lua, int reference) {
  for (int i = 1; const char* name = lua_getupvalue(lua, -1, i); ++i) {
    lua_pushvalue(lua, -1);
    cells_.push_back({reference, i, luaL_ref(lua, LUA_REGISTRYINDEX), name});
    take(lua, name);
  }
}

void Guard::take_table(lua_State* lua, int reference, const std::string& name) {
  lua_newtable(lua);
  const int table = lua_gettop(lua) - 1;
  for (lua_pushnil(lua); lua_next(lua, table);) {
    lua_pushvalue(lua, -2);
    lua_pushvalue(lua, -2);
    lua_rawset(lua, table + 1);
    take(lua, name);
  }
  const int copy = luaL_ref(lua, LUA_REGISTRYINDEX);
  push_metatable(lua);
  lua_pushvalue(lua, -1);
  tables_.push_back({reference, copy, luaL_ref(lua, LUA_REGISTRYINDEX), name});
  take(lua, name);
}

std::optional<std::string> Guard::changed(lua_State* lua) const {
  for (const Cell& cell : cells_)
    if (!is_same(lua, cell)) return cell.name;
  for (const Table& table : tables_)
    if (!is_same(lua, table)) return table.name;
  return std::nullopt;
}

bool Guard::is_same(lua_State* lua, const Cell& cell) {
  push(lua, cell.function);
  lua_getupvalue(lua, -1, cell.upvalue);
  lua_remove(lua, -2);
  push(lua, cell.value);
  return take_equal(lua);
}

// As many members as then, and each of these the same.
bool Guard::is_same(lua_State* lua, const Table& table) {
  push(lua, table.table);
  push_metatable(lua);
  push(lua, table.metatable);
  if (!take_equal(lua)) return lua_pop(lua, 1), false;
  push(lua, table.copy);
  const int now = lua_gettop(lua) - 1;
  bool is_same = true;
  std::size_t left = 0;
  for (lua_pushnil(lua); lua_next(lua, now + 1); lua_pop(lua, 1)) ++left;
  for (lua_pushnil(lua); is_same && lua_next(lua, now); --left) {
    lua_pushvalue(lua, -2);
    lua_rawget(lua, now + 1);
    is_same = left > 0 && take_equal(lua);
  }
  lua_settop(lua, now - 1);
  return is_same && left == 0;
}

}  // namespace callisto::script
