// datetime.now(), datetime.parse(text), datetime.add(value, days, hours, minutes), datetime.shift(value, from, to).
#include "engine/base/datetime.h"

#include "engine/script/library/bindings.h"
#include "engine/script/library/exact.h"
#include "engine/script/library/lua_state.h"

#include <cmath>
#include <cstdint>

#include <lua.hpp>

namespace callisto::script {
namespace {

void push_date(lua_State* lua, const std::optional<DateTime>& date) {
  if (date) push_exact(lua, *date);
  else lua_pushnil(lua);
}

int now(lua_State* lua) {
  LuaState& state = LuaState::of(lua);
  state.note_varying();
  push_exact(lua, state.clock().now());
  return 1;
}

int parse(lua_State* lua) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 1, &size);
  push_date(lua, parse_iso8601({text, size}));
  return 1;
}

// A whole number that a double holds exactly; anything further off leaves the calendar anyway.
std::int64_t whole(lua_State* lua, int index) {
  lua_Number number = luaL_optnumber(lua, index, 0);
  if (std::trunc(number) != number || std::abs(number) > 1e15) luaL_argerror(lua, index, "whole number expected");
  return static_cast<std::int64_t>(number);
}

// nil where the sum leaves the years 0001 to 9999.
int add(lua_State* lua) {
  auto value = to_exact(lua, 1);
  const auto* date = value ? std::get_if<DateTime>(&*value) : nullptr;
  if (!date) return luaL_argerror(lua, 1, "DateTime expected");
  push_date(lua, callisto::add(*date, whole(lua, 2), whole(lua, 3), whole(lua, 4)));
  return 1;
}

DateTime moment(lua_State* lua, int index) {
  auto value = to_exact(lua, index);
  const auto* date = value ? std::get_if<DateTime>(&*value) : nullptr;
  if (date) return *date;
  luaL_argerror(lua, index, "DateTime expected");
  return {};  // it does not return
}

// value + (to - from), to the millisecond; nil as of add().
int shift(lua_State* lua) {
  push_date(lua, callisto::add(DateTime{moment(lua, 1).ms + moment(lua, 3).ms - moment(lua, 2).ms}, 0, 0, 0));
  return 1;
}

}  // namespace

void bind_datetime(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"now", now}, {"parse", parse}, {"add", add}, {"shift", shift}, {nullptr, nullptr}};
  luaL_register(lua, nullptr, functions);
  bind_working_time(lua);
}

}  // namespace callisto::script
