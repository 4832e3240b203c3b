#include "engine/script/library/exact.h"

#include "engine/base/datetime.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <string>

#include <lua.hpp>

namespace callisto::script {
namespace {

enum class Kind { DateTime, Decimal, Binary, Long };

// Trivial, so that Lua may free it without being told; the bytes of a Binary follow it.
struct Exact {
  Kind kind;
  int scale;            // Decimal
  std::int64_t number;  // milliseconds, digits or the value; Binary: how many bytes
};

__extension__ typedef __int128 Wide;  // 18 digits of scale on top of 64 bits fit

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::DateTime:
      return "DateTime";
    case Kind::Decimal:
      return "Decimal";
    case Kind::Binary:
      return "Binary";
    case Kind::Long:
      return "Long";
  }
  return "";
}

const char metatable_key = 0;

Exact* push_new(lua_State* lua, Exact content, std::size_t bytes = 0) {
  void* memory = lua_newuserdata(lua, sizeof(Exact) + bytes);
  auto* exact = new (memory) Exact(content);
  lua_pushlightuserdata(lua, const_cast<char*>(&metatable_key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  lua_setmetatable(lua, -2);
  return exact;
}

const Exact* at(lua_State* lua, int index) {
  if (lua_type(lua, index) != LUA_TUSERDATA || !lua_getmetatable(lua, index)) return nullptr;
  lua_pushlightuserdata(lua, const_cast<char*>(&metatable_key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  bool is_ours = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 2);
  return is_ours ? static_cast<const Exact*>(lua_touserdata(lua, index)) : nullptr;
}

std::string_view bytes_of(const Exact& exact) {
  return {reinterpret_cast<const char*>(&exact + 1), static_cast<std::size_t>(exact.number)};
}

Wide scaled(const Exact& exact) {
  constexpr int full_scale = 18;
  Wide value = exact.number;
  for (int i = exact.kind == Kind::Decimal ? exact.scale : 0; i < full_scale; ++i) value *= 10;
  return value;
}

// Nothing: they cannot be compared.
std::optional<int> compare(const Exact& a, const Exact& b) {
  auto is_number = [](const Exact& each) { return each.kind == Kind::Decimal || each.kind == Kind::Long; };
  auto order = [](auto x, auto y) { return x < y ? -1 : (y < x ? 1 : 0); };
  if (is_number(a) && is_number(b)) return order(scaled(a), scaled(b));
  if (a.kind != b.kind) return std::nullopt;
  return a.kind == Kind::Binary ? bytes_of(a).compare(bytes_of(b)) : order(a.number, b.number);
}

std::string decimal_text(std::int64_t digits, int scale) {
  std::string text = std::to_string(digits);
  std::size_t first = digits < 0 ? 1 : 0;
  auto places = static_cast<std::size_t>(scale);
  if (text.size() - first <= places) text.insert(first, places + 1 - (text.size() - first), '0');
  if (scale > 0) text.insert(text.size() - places, 1, '.');
  return text;
}

std::string text_of(const Exact& exact) {
  switch (exact.kind) {
    case Kind::DateTime:
      return to_iso8601({exact.number});
    case Kind::Decimal:
      return decimal_text(exact.number, exact.scale);
    case Kind::Long:
      return std::to_string(exact.number);
    case Kind::Binary:
      return "binary of " + std::to_string(exact.number) + " bytes";
  }
  return {};
}

const Exact& checked(lua_State* lua, int index) {
  const Exact* exact = at(lua, index);
  if (!exact) luaL_error(lua, "a %s cannot be compared or subtracted here", luaL_typename(lua, index));
  return *exact;
}

int ordered(lua_State* lua) {
  const Exact& a = checked(lua, 1);
  const Exact& b = checked(lua, 2);
  auto order = compare(a, b);
  if (!order) luaL_error(lua, "a %s cannot be compared with a %s", name_of(a.kind), name_of(b.kind));
  return *order;
}

int equals(lua_State* lua) {
  auto order = compare(checked(lua, 1), checked(lua, 2));
  lua_pushboolean(lua, order == 0);
  return 1;
}

int less(lua_State* lua) {
  lua_pushboolean(lua, ordered(lua) < 0);
  return 1;
}

int less_equal(lua_State* lua) {
  lua_pushboolean(lua, ordered(lua) <= 0);
  return 1;
}

int subtract(lua_State* lua) {
  const Exact& a = checked(lua, 1);
  const Exact& b = checked(lua, 2);
  if (a.kind != Kind::DateTime || b.kind != Kind::DateTime)
    luaL_error(lua, "only a DateTime can be subtracted from a DateTime (the result is in milliseconds)");
  lua_pushnumber(lua, static_cast<lua_Number>(a.number - b.number));
  return 1;
}

// now + 3600
int refuse_arithmetic(lua_State* lua) {
  const Exact* exact = at(lua, 1) ? at(lua, 1) : at(lua, 2);
  if (exact && exact->kind == Kind::DateTime)
    return luaL_error(lua, "a moment is moved with datetime.add(moment, days, hours, minutes)");
  return luaL_error(lua, "a %s is exact and no Lua number: give tonumber(tostring(value)) if rounding does no harm",
                    exact ? name_of(exact->kind) : "value");
}

void push_text(lua_State* lua, int index) {
  if (const Exact* exact = at(lua, index)) {
    std::string text = text_of(*exact);
    lua_pushlstring(lua, text.data(), text.size());
  } else if (lua_isstring(lua, index)) {
    lua_pushvalue(lua, index);
  } else {
    luaL_error(lua, "attempt to concatenate a %s value", luaL_typename(lua, index));
  }
}

int to_text(lua_State* lua) {
  push_text(lua, 1);
  return 1;
}

int concatenate(lua_State* lua) {
  push_text(lua, 1);
  push_text(lua, 2);
  lua_concat(lua, 2);
  return 1;
}

}  // namespace

void register_exact(lua_State* lua) {
  constexpr luaL_Reg events[] = {{"__eq", equals},
                                 {"__lt", less},
                                 {"__le", less_equal},
                                 {"__sub", subtract},
                                 {"__tostring", to_text},
                                 {"__concat", concatenate},
                                 {"__add", refuse_arithmetic},
                                 {"__mul", refuse_arithmetic},
                                 {"__div", refuse_arithmetic},
                                 {"__mod", refuse_arithmetic},
                                 {"__unm", refuse_arithmetic},
                                 {nullptr, nullptr}};
  lua_pushlightuserdata(lua, const_cast<char*>(&metatable_key));
  lua_newtable(lua);
  luaL_register(lua, nullptr, events);
  lua_pushliteral(lua, "exact value");
  lua_setfield(lua, -2, "__metatable");
  lua_rawset(lua, LUA_REGISTRYINDEX);
}

void push_exact(lua_State* lua, DateTime value) { push_new(lua, {Kind::DateTime, 0, value.ms}); }
void push_exact(lua_State* lua, Decimal value) { push_new(lua, {Kind::Decimal, value.scale, value.digits}); }
void push_exact(lua_State* lua, std::int64_t value) { push_new(lua, {Kind::Long, 0, value}); }

void push_exact(lua_State* lua, const Binary& value) {
  Exact* exact = push_new(lua, {Kind::Binary, 0, static_cast<std::int64_t>(value.bytes.size())}, value.bytes.size());
  std::copy(value.bytes.begin(), value.bytes.end(), reinterpret_cast<char*>(exact + 1));
}

std::optional<Value> to_exact(lua_State* lua, int index) {
  const Exact* exact = at(lua, index);
  if (!exact) return std::nullopt;
  switch (exact->kind) {
    case Kind::DateTime:
      return Value(DateTime{exact->number});
    case Kind::Decimal:
      return Value(Decimal{exact->number, exact->scale});
    case Kind::Long:
      return Value(exact->number);
    case Kind::Binary:
      return Value(Binary{std::string(bytes_of(*exact))});
  }
  return std::nullopt;
}

}  // namespace callisto::script
