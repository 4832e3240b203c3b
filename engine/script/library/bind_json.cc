// json.encode(value), json.decode(text), json.list(table): RFC 8259 out and in. A moment is ISO 8601; null is nil in an
// object and `null` in a list; json.list says of a table, an empty one too, that it is a list.
#include "engine/base/text.h"
#include "engine/json/read.h"
#include "engine/json/write.h"
#include "engine/script/library/bindings.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/views/values.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr int deepest = 32;
constexpr const char* list_mark = "json list";

bool is_marked(lua_State* lua, int index) {
  if (lua_getmetatable(lua, index) == 0) return false;
  luaL_getmetatable(lua, list_mark);
  const bool is_list = lua_rawequal(lua, -1, -2) != 0;
  lua_pop(lua, 2);
  return is_list;
}

void write(lua_State* lua, int index, json::Writer& writer, int depth);

void write_list(lua_State* lua, int index, json::Writer& writer, int depth) {
  writer.begin_array();
  for (int i = 1, count = static_cast<int>(lua_objlen(lua, index)); i <= count; ++i) {
    lua_rawgeti(lua, index, i);
    write(lua, lua_gettop(lua), writer.element(), depth + 1);
    lua_pop(lua, 1);
  }
  writer.end_array();
}

// In order of their names, so that the same table is the same text.
void write_object(lua_State* lua, int index, json::Writer& writer, int depth) {
  std::vector<std::string> names;
  for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING)
      luaL_error(lua, "a table is a list or has names that are texts, and not both: found the key %s",
                 describe(lua, lua_gettop(lua) - 1).c_str());
    std::size_t size = 0;
    const char* name = lua_tolstring(lua, -2, &size);
    names.emplace_back(name, size);
  }
  std::sort(names.begin(), names.end());
  writer.begin_object();
  for (const std::string& name : names) {
    if (!text::is_utf8(name)) luaL_error(lua, "a name is no UTF-8 text");
    lua_pushlstring(lua, name.data(), name.size());
    lua_rawget(lua, index);
    write(lua, lua_gettop(lua), writer.key(name), depth + 1);
    lua_pop(lua, 1);
  }
  writer.end_object();
}

void write(lua_State* lua, int index, json::Writer& writer, int depth) {
  LuaState::of(lua).spend(lua, 1);
  check_text_size(lua, writer.raw().size());
  if (depth > deepest) luaL_error(lua, "tables more than %d deep in each other, or one within itself", deepest);
  luaL_checkstack(lua, 6, "tables too deep");
  if (lua_istable(lua, index)) {
    if (lua_objlen(lua, index) > 0 || is_marked(lua, index)) return write_list(lua, index, writer, depth);
    return write_object(lua, index, writer, depth);
  }
  const auto value = to_value(lua, index);
  const auto* words = value ? std::get_if<std::string>(&*value) : nullptr;
  const auto* number = value ? std::get_if<double>(&*value) : nullptr;
  if (!value || (words && !text::is_utf8(*words)) || (number && !std::isfinite(*number)))
    luaL_error(lua, "JSON cannot hold %s; name what you mean, such as record.Ref", describe(lua, index).c_str());
  json::append_value(writer.raw(), *value);
}

int encode(lua_State* lua) {
  luaL_checkany(lua, 1);
  std::string text;
  json::Writer writer(text);
  write(lua, 1, writer, 0);
  check_text_size(lua, text.size());
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

void mark_list(lua_State* lua) {
  luaL_getmetatable(lua, list_mark);
  lua_setmetatable(lua, -2);
}

void push(lua_State* lua, const json::Node& node, bool in_list) {
  using Kind = json::Node::Kind;
  luaL_checkstack(lua, 6, "JSON too deep");
  switch (node.kind()) {
    case Kind::Null:
      return in_list ? lua_pushlightuserdata(lua, nullptr) : lua_pushnil(lua);
    case Kind::Boolean:
      return lua_pushboolean(lua, node.boolean());
    case Kind::Number:
      return push_value(lua, json::value_of_number(node.text()));
    case Kind::String:
      return lua_pushlstring(lua, node.text().data(), node.text().size());
    case Kind::Array:
      lua_createtable(lua, static_cast<int>(node.items().size()), 0);
      for (std::size_t i = 0; i < node.items().size(); ++i) {
        push(lua, node.items()[i], true);
        lua_rawseti(lua, -2, static_cast<int>(i) + 1);
      }
      return mark_list(lua);
    case Kind::Object:
      break;
  }
  lua_createtable(lua, 0, static_cast<int>(node.members().size()));
  for (const json::Member& member : node.members()) {
    lua_pushlstring(lua, member.name.data(), member.name.size());
    push(lua, member.value, false);
    lua_rawset(lua, -3);
  }
}

int decode(lua_State* lua) {
  std::size_t size = 0;
  const char* bytes = luaL_checklstring(lua, 1, &size);
  check_text_size(lua, size);
  LuaState::of(lua).spend(lua, 1 + size / 8);
  const auto node = json::parse(std::string(bytes, size), {static_cast<std::size_t>(deepest), 50'000});
  if (!node) return luaL_error(lua, "%s", node.error().message.c_str());
  push(lua, *node, false);
  return 1;
}

int list(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  if (luaL_getmetafield(lua, 1, "__metatable") != 0) return lua_settop(lua, 1), 1;  // it is one, or nobody may mark it
  mark_list(lua);
  return 1;
}

}  // namespace

void push_json(lua_State* lua, const json::Node& node) { push(lua, node, false); }

void bind_json(lua_State* lua) {
  luaL_newmetatable(lua, list_mark);
  lua_pushliteral(lua, "list");
  lua_setfield(lua, -2, "__metatable");
  lua_pop(lua, 1);
  constexpr luaL_Reg functions[] = {{"encode", encode}, {"decode", decode}, {"list", list}, {nullptr, nullptr}};
  luaL_register(lua, nullptr, functions);
}

}  // namespace callisto::script
