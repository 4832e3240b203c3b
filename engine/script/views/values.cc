#include "engine/script/views/values.h"

#include "engine/base/text.h"
#include "engine/catalog/naming.h"
#include "engine/catalog/property_rules.h"
#include "engine/script/library/exact.h"

#include <charconv>
#include <cmath>
#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

using catalog::DataType;

constexpr double exact_limit = 9007199254740992.0;  // 2^53: every whole number up to here is a double of its own

// The decimal that the number's shortest text says; nothing where that needs more digits than it can hold.
std::optional<Value> to_decimal(double number) {
  char buffer[64];
  auto written = std::to_chars(buffer, buffer + sizeof buffer, number, std::chars_format::fixed);
  if (written.ec != std::errc()) return std::nullopt;
  std::string digits(buffer, written.ptr);
  int scale = 0;
  if (auto point = digits.find('.'); point != std::string::npos) {
    scale = static_cast<int>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  Decimal decimal{0, scale};
  auto read = std::from_chars(digits.data(), digits.data() + digits.size(), decimal.digits);
  if (read.ec != std::errc() || scale > 18) return std::nullopt;
  return Value(decimal);
}

// Numbers become what the type has; nothing where the value does not fit it.
void make(std::optional<Value>& value, DataType type) {
  if (const auto* text = std::get_if<std::string>(&*value)) {
    if (!text::is_utf8(*text) || !catalog::fits(*value, type)) value.reset();
    return;
  }
  const auto* whole = std::get_if<std::int64_t>(&*value);
  if (whole && type == DataType::Decimal) value = Decimal{*whole, 0};
  else if (whole && (type == DataType::Float || type == DataType::Double)) value = static_cast<double>(*whole);
  else if (const auto* real = std::get_if<double>(&*value); real && type == DataType::Decimal)
    value = to_decimal(*real);
  if (value && !catalog::fits(*value, type)) value.reset();
}

}  // namespace

void push_value(lua_State* lua, const Value& value) {
  struct Pusher {
    lua_State* lua;
    void operator()(Null) const { lua_pushnil(lua); }
    void operator()(bool flag) const { lua_pushboolean(lua, flag); }
    void operator()(double number) const { lua_pushnumber(lua, number); }
    void operator()(const std::string& text) const { lua_pushlstring(lua, text.data(), text.size()); }
    void operator()(DateTime date) const { push_exact(lua, date); }
    void operator()(Decimal decimal) const { push_exact(lua, decimal); }
    void operator()(const Binary& binary) const { push_exact(lua, binary); }
    void operator()(std::int64_t whole) const {
      if (std::abs(static_cast<double>(whole)) < exact_limit) lua_pushnumber(lua, static_cast<lua_Number>(whole));
      else push_exact(lua, whole);
    }
  };
  std::visit(Pusher{lua}, value);
}

std::optional<Value> to_value(lua_State* lua, int index) {
  switch (lua_type(lua, index)) {
    case LUA_TNIL:
      return Value(Null{});
    case LUA_TBOOLEAN:
      return Value(lua_toboolean(lua, index) != 0);
    case LUA_TSTRING: {
      std::size_t size = 0;
      const char* text = lua_tolstring(lua, index, &size);
      return Value(std::string(text, size));
    }
    case LUA_TNUMBER: {
      double number = lua_tonumber(lua, index);
      if (std::abs(number) <= exact_limit && std::trunc(number) == number)
        return Value(static_cast<std::int64_t>(number));
      return Value(number);
    }
    case LUA_TLIGHTUSERDATA:  // the sandbox's `null`, or a record
      if (!lua_touserdata(lua, index)) return Value(Null{});
      return std::nullopt;
    default:
      return to_exact(lua, index);
  }
}

std::optional<Value> to_value(lua_State* lua, int index, DataType type) {
  auto value = to_value(lua, index);
  if (value && !is_null(*value)) make(value, type);
  return value;
}

std::optional<Value> to_value(lua_State* lua, int index, const catalog::Property& property) {
  auto value = to_value(lua, index, property.type);
  if (!value) return value;
  if (auto* decimal = std::get_if<Decimal>(&*value)) {
    auto fitting = rescaled(*decimal, property.scale);
    if (!fitting) return std::nullopt;
    *decimal = *fitting;
  }
  return value;
}

std::optional<Decimal> rescaled(Decimal value, int scale) {
  for (; value.scale < scale; ++value.scale)
    if (__builtin_mul_overflow(value.digits, std::int64_t{10}, &value.digits)) return std::nullopt;
  for (; value.scale > scale; --value.scale) {
    if (value.digits % 10 != 0) return std::nullopt;
    value.digits /= 10;
  }
  return value;
}

std::string describe(lua_State* lua, int index) {
  std::string kind = luaL_typename(lua, index);
  if (lua_islightuserdata(lua, index) && !lua_touserdata(lua, index)) return "null";
  if (lua_type(lua, index) == LUA_TSTRING) {
    std::size_t size = 0;
    const char* text = lua_tolstring(lua, index, &size);
    return "the text " + text::quoted({text, size});
  }
  if (lua_type(lua, index) == LUA_TNUMBER || to_exact(lua, index)) {
    lua_pushvalue(lua, index);
    if (luaL_callmeta(lua, -1, "__tostring")) lua_remove(lua, -2);
    std::string text = lua_tostring(lua, -1);
    lua_pop(lua, 1);
    return text;
  }
  if (lua_isuserdata(lua, index) && luaL_getmetafield(lua, index, "__metatable")) {  // a view says what it is
    if (lua_type(lua, -1) == LUA_TSTRING) kind = lua_tostring(lua, -1);
    lua_pop(lua, 1);
  }
  return kind == "no value" ? "nothing" : catalog::with_article(kind);
}

}  // namespace callisto::script
