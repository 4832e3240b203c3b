#include "engine/script/extension.h"

#include "engine/script/values.h"
#include "engine/script/views.h"

#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Where extend_page leaves what every call of the function is made of.
struct Places {
  int function, session;
};

// values(records, session) -> one value for each record, by its place
void extend_together(lua_State* lua, const CurrentCall& call, Places at, std::vector<Value>& results) {
  const std::size_t count = call.rows->count;
  lua_pushvalue(lua, at.function);
  lua_createtable(lua, static_cast<int>(count), 0);
  for (std::size_t row = 0; row < count; ++row) {
    push_record(lua, call, row);
    lua_rawseti(lua, -2, static_cast<int>(row) + 1);
  }
  lua_pushvalue(lua, at.session);
  lua_call(lua, 2, 1);
  if (!lua_istable(lua, -1))
    luaL_error(lua, "'values' returned %s where a list of values is due", describe(lua, -1).c_str());
  // A list that left one out would answer for the wrong records from there on.
  for (std::size_t row = 0; row < count; ++row) {
    lua_rawgeti(lua, -1, static_cast<int>(row) + 1);
    if (lua_isnil(lua, -1))
      luaL_error(lua, "'values' answers nothing for record %d of %d: write null where it has no value",
                 static_cast<int>(row) + 1, static_cast<int>(count));
    results.push_back(take_result(lua, *call.augmenter));
  }
  lua_rawgeti(lua, -1, static_cast<int>(count) + 1);
  if (!lua_isnil(lua, -1))
    luaL_error(lua, "'values' answers more than the %d that were asked for", static_cast<int>(count));
}

// value(record, session) for each
void extend_apart(lua_State* lua, const CurrentCall& call, Places at, std::vector<Value>& results) {
  for (std::size_t row = 0; row < call.rows->count; ++row) {
    lua_pushvalue(lua, at.function);
    push_record(lua, call, row);
    lua_pushvalue(lua, at.session);
    lua_call(lua, 2, 1);
    results.push_back(take_result(lua, *call.augmenter));
  }
}

}  // namespace

void extend_page(lua_State* lua, const CurrentCall& call, std::vector<Value>& results) {
  const int function = lua_gettop(lua);
  push_session(lua, call);
  const Places at{function, function + 1};
  if (call.augmenter->batch) extend_together(lua, call, at, results);
  else extend_apart(lua, call, at, results);
  lua_settop(lua, function - 1);
}

Value take_result(lua_State* lua, const catalog::Augmenter& augmenter) {
  auto value = to_value(lua, -1, augmenter.returns);
  if (!value)
    luaL_error(lua, "returned %s where its 'returns' promises %s", describe(lua, -1).c_str(), name(augmenter.returns));
  lua_pop(lua, 1);
  return *std::move(value);
}

}  // namespace callisto::script
