// sort, and insert, remove and maxn with their cost: these replace LuaJIT's functions whose loops never look at the
// deadline.
#include "engine/script/library/bindings.h"
#include "engine/script/library/lua_state.h"

#include <algorithm>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::size_t elements_a_step = 16;  // that are moved or looked at in the time of a step

// Quicksort with the pivot from the middle of three, and so in the order that Lua's own leaves equal elements in. The
// table is argument 1, the order argument 2 or nil.
class Sort {
 public:
  explicit Sort(lua_State* lua) : lua_(lua), has_order_(!lua_isnil(lua, 2)) {}

  // The larger part by the loop, so that calls nest no deeper than the logarithm of the count.
  void range(int low, int high) {
    while (low < high) {
      arrange_ends(low, high);
      if (high - low == 1) return;
      const int middle = low + (high - low) / 2;
      arrange_middle(low, middle, high);
      if (high - low == 2) return;
      const int pivot = part(low, middle, high);
      const bool is_left_smaller = pivot - low < high - pivot;
      range(is_left_smaller ? low : pivot + 1, is_left_smaller ? pivot - 1 : high);
      if (is_left_smaller) low = pivot + 1;
      else high = pivot - 1;
    }
  }

 private:
  void push(int index) { lua_rawgeti(lua_, 1, index); }

  // Takes two values from the stack: the top one for `first`.
  void set(int first, int second) {
    lua_rawseti(lua_, 1, first);
    lua_rawseti(lua_, 1, second);
  }

  // Whether the value at stack index `a` comes before that at `b`.
  bool before(int a, int b) {
    LuaState::of(lua_).spend(lua_, 1 + cost(a, b));
    if (!has_order_) return lua_lessthan(lua_, a, b) != 0;
    lua_pushvalue(lua_, 2);
    lua_pushvalue(lua_, a);
    lua_pushvalue(lua_, b);
    lua_call(lua_, 2, 1);
    const bool answer = lua_toboolean(lua_, -1) != 0;
    lua_pop(lua_, 1);
    return answer;
  }

  // Texts are compared up to the end of the shorter one.
  std::size_t cost(int a, int b) {
    if (has_order_ || lua_type(lua_, a) != LUA_TSTRING || lua_type(lua_, b) != LUA_TSTRING) return 0;
    return std::min(lua_objlen(lua_, a), lua_objlen(lua_, b)) / 64;
  }

  // Exchanges the elements where the one at `second` comes before the one at `first`.
  void arrange(int first, int second) {
    push(first);
    push(second);
    const int top = lua_gettop(lua_);
    if (before(top, top - 1)) set(first, second);
    else lua_pop(lua_, 2);
  }
  void arrange_ends(int low, int high) { arrange(low, high); }
  void arrange_middle(int low, int middle, int high) {
    push(middle);
    push(low);
    const int top = lua_gettop(lua_);
    const bool is_lower = before(top - 1, top);
    if (is_lower) return set(middle, low);
    lua_pop(lua_, 2);
    arrange(middle, high);
  }

  // The pivot's place, with nothing after it on its left and nothing before it on its right.
  int part(int low, int middle, int high) {
    push(middle);
    lua_pushvalue(lua_, -1);
    push(high - 1);
    set(middle, high - 1);
    const int pivot = lua_gettop(lua_);
    int left = low;
    int right = high - 1;
    for (;;) {
      left = next_from_left(left, high, pivot);
      right = next_from_right(right, low, pivot);
      if (right < left) break;
      set(left, right);
    }
    lua_settop(lua_, pivot - 1);
    push(high - 1);
    push(left);
    set(high - 1, left);
    return left;
  }

  // The next element that does not come before the pivot stays on the stack; likewise from the right.
  int next_from_left(int left, int high, int pivot) {
    for (push(++left); before(pivot + 1, pivot); push(++left)) {
      if (left >= high) invalid();
      lua_pop(lua_, 1);
    }
    return left;
  }
  int next_from_right(int right, int low, int pivot) {
    for (push(--right); before(pivot, pivot + 2); push(--right)) {
      if (right <= low) invalid();
      lua_pop(lua_, 1);
    }
    return right;
  }

  void invalid() { luaL_error(lua_, "invalid order function for sorting"); }

  lua_State* const lua_;
  const bool has_order_;
};

int sort(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (!lua_isnoneornil(lua, 2)) luaL_checktype(lua, 2, LUA_TFUNCTION);
  lua_settop(lua, 2);
  LuaState::of(lua).check_time(lua);
  const LuaState::Nesting nesting(lua);  // the order may sort again
  constexpr int most_on_stack = 40 * 8;
  luaL_checkstack(lua, most_on_stack, "");
  Sort(lua).range(1, static_cast<int>(lua_objlen(lua, 1)));
  return 0;
}

// The library's function (upvalue 1), which may move or look at so many elements.
int call_library(lua_State* lua, std::size_t elements) {
  LuaState::of(lua).spend(lua, 1 + elements / elements_a_step);
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, LUA_MULTRET);
  return lua_gettop(lua);
}

// What they refuse is refused here, for it is told with the name of the function that was called.
std::size_t length(lua_State* lua, int with_place) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  if (lua_gettop(lua) < with_place) return 0;
  luaL_checkinteger(lua, 2);
  return lua_objlen(lua, 1);
}

int insert(lua_State* lua) {
  const std::size_t moved = length(lua, 3);
  if (lua_gettop(lua) < 2 || lua_gettop(lua) > 3) luaL_error(lua, "wrong number of arguments to 'insert'");
  return call_library(lua, moved);
}
int remove(lua_State* lua) { return call_library(lua, length(lua, 2)); }

int maxn(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  return call_library(lua, lua_objlen(lua, 1));
}

}  // namespace

void bind_table(lua_State* lua) {
  constexpr luaL_Reg around[] = {{"insert", insert}, {"remove", remove}, {"maxn", maxn}};
  for (const auto& [name, function] : around) {
    lua_getfield(lua, -2, name);
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
  }
  lua_pushcfunction(lua, sort);
  lua_setfield(lua, -2, "sort");
}

}  // namespace callisto::script
