#include "engine/script/run/extension.h"

#include "engine/script/views/values.h"
#include "engine/script/views/views.h"

#include <array>
#include <cstdint>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Where extend_page leaves what every call of the function is made of. `followed_by`: how many functions stand behind
// it that get a value each and give another.
struct Places {
  int function, followed_by, session;
};

// Of the value on top of the stack makes the one that the record has in the end.
void follow(lua_State* lua, const CurrentCall& call, Places at, std::size_t row) {
  for (int next = at.function + 1; next <= at.function + at.followed_by; ++next) {
    lua_pushvalue(lua, next);
    lua_insert(lua, -2);
    push_record(lua, call, row);
    lua_pushvalue(lua, at.session);
    lua_call(lua, 3, 1);
  }
}

// Takes the value on top of the stack. LuaJIT keeps equal texts once: one that stands where another stood is that one.
class Taker {
 public:
  Taker(const CurrentCall& call, Answers& answers) : call_(call), answers_(answers) {}

  // `is_held`: its text stands where it cannot go before all are taken.
  void take(lua_State* lua, bool is_held) {
    const void* text = is_held && lua_type(lua, -1) == LUA_TSTRING ? lua_topointer(lua, -1) : nullptr;
    Last& last = last_[reinterpret_cast<std::uintptr_t>(text) / 16 % last_.size()];
    if (text && text == last.text) {
      lua_pop(lua, 1);
    } else {
      last = {text, static_cast<std::uint32_t>(answers_.values.size())};
      answers_.values.push_back(take_result(lua, *call_.augmenter));
    }
    answers_.places.push_back(last.place);
  }

 private:
  struct Last {
    const void* text;
    std::uint32_t place;
  };
  const CurrentCall& call_;
  Answers& answers_;
  std::array<Last, 32> last_{};
};

// values(records, session) -> one value for each record, by its place
void extend_together(lua_State* lua, const CurrentCall& call, Places at, Answers& answers) {
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
    luaL_error(lua, "'values' returned %s where a list of values is expected", describe(lua, -1).c_str());
  // A list that left one out would answer for the wrong records from there on. It holds its texts while they are taken.
  Taker taker(call, answers);
  for (std::size_t row = 0; row < count; ++row) {
    lua_rawgeti(lua, -1, static_cast<int>(row) + 1);
    if (lua_isnil(lua, -1))
      luaL_error(lua, "'values' returned nothing for record %d of %d: write null if it has no value",
                 static_cast<int>(row) + 1, static_cast<int>(count));
    follow(lua, call, at, row);
    taker.take(lua, at.followed_by == 0);
  }
  lua_rawgeti(lua, -1, static_cast<int>(count) + 1);
  if (!lua_isnil(lua, -1))
    luaL_error(lua, "'values' returned more than the %d that were asked for", static_cast<int>(count));
}

// value(record, session) for each
void extend_apart(lua_State* lua, const CurrentCall& call, Places at, Answers& answers) {
  for (std::size_t row = 0; row < call.rows->count; ++row) {
    lua_pushvalue(lua, at.function);
    push_record(lua, call, row);
    lua_pushvalue(lua, at.session);
    lua_call(lua, 2, 1);
    follow(lua, call, at, row);
    answers.places.push_back(static_cast<std::uint32_t>(row));
    answers.values.push_back(take_result(lua, *call.augmenter));
  }
}

}  // namespace

void extend_page(lua_State* lua, const CurrentCall& call, Answers& answers) {
  const int followed_by = static_cast<int>(call.augmenter->after.size()), function = lua_gettop(lua) - followed_by;
  push_session(lua, call);
  const Places at{function, followed_by, lua_gettop(lua)};
  if (call.augmenter->batch) extend_together(lua, call, at, answers);
  else extend_apart(lua, call, at, answers);
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
