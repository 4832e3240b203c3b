#include "engine/script/views.h"

#include "engine/base/text.h"
#include "engine/script/values.h"

#include <new>
#include <string>
#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

struct View {
  std::uint64_t call;
  std::size_t row;   // of a record
};

// Registry keys of the metatables.
const char session_key = 0;
const char person_key = 0;
const char record_key = 0;

void push_view(lua_State* lua, const char& metatable, View view) {
  new (lua_newuserdata(lua, sizeof(View))) View(view);
  lua_pushlightuserdata(lua, const_cast<char*>(&metatable));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  lua_setmetatable(lua, -2);
}

struct Read {
  const CurrentCall& call;
  View view;
  std::string_view field;
};

// The view, the call and the field that an __index is about. A script cannot reach __index itself, so argument 1 is a View.
Read read_of(lua_State* lua) {
  const auto& call = *static_cast<const CurrentCall*>(lua_touserdata(lua, lua_upvalueindex(1)));
  View view = *static_cast<const View*>(lua_touserdata(lua, 1));
  if (view.call != call.number) luaL_error(lua, "this record or session belongs to a call that is over");
  std::size_t size = 0;
  const char* field = luaL_checklstring(lua, 2, &size);
  return {call, view, {field, size}};
}

int raise_unknown(lua_State* lua, std::string_view what, std::string_view field,
                  const std::vector<std::string_view>& candidates) {
  std::string message = std::string(what) + ' ' + text::quoted(field);
  if (std::string near = text::nearest(field, candidates); !near.empty()) message += "; did you mean '" + near + "'?";
  return luaL_error(lua, "%s", message.c_str());
}

int read_record(lua_State* lua) {
  Read read = read_of(lua);
  const auto& needs = read.call.augmenter->needs;
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (needs[i] == read.field) {
      push_value(lua, read.call.rows->at(read.view.row).at(i));
      return 1;
    }
  return raise_unknown(lua, "'needs' does not list", read.field, {needs.begin(), needs.end()});
}

// Properties of the person's record; all are nil where nobody is signed in.
int read_person(lua_State* lua) {
  Read read = read_of(lua);
  auto found = read.call.session->person.find(std::string(read.field));
  if (found == read.call.session->person.end()) return lua_pushnil(lua), 1;
  push_value(lua, found->second);
  return 1;
}

void push_list(lua_State* lua, const std::vector<Value>& values) {
  lua_createtable(lua, static_cast<int>(values.size()), 0);
  int count = 0;
  for (const Value& value : values) {
    push_value(lua, value);
    lua_rawseti(lua, -2, ++count);
  }
}

// session.<list>: made once for each call, kept in the view's own environment table.
int read_list(lua_State* lua, const Read& read) {
  lua_getfenv(lua, 1);
  lua_pushvalue(lua, 2);
  lua_rawget(lua, -2);
  if (!lua_isnil(lua, -1)) return 1;
  lua_pop(lua, 1);
  auto found = read.call.session->lists.find(std::string(read.field));
  push_list(lua, found == read.call.session->lists.end() ? std::vector<Value>() : found->second);
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, -2);
  lua_rawset(lua, -4);
  return 1;
}

int read_session(lua_State* lua) {
  Read read = read_of(lua);
  if (read.field == "user_id") return push_value(lua, read.call.session->user_id), 1;
  if (read.field == "type") return push_value(lua, read.call.session->type), 1;
  if (read.field == "person") return push_view(lua, person_key, read.view), 1;
  std::vector<std::string_view> candidates{"user_id", "type", "person"};
  for (const SessionList& list : read.call.program.session_lists) {
    if (list.name == read.field) return read_list(lua, read);
    candidates.emplace_back(list.name);
  }
  return raise_unknown(lua, "the session has no", read.field, candidates);
}

int refuse_write(lua_State* lua) {
  return luaL_error(lua, "an augmenter reads only: '%s' cannot be changed here", lua_tostring(lua, 2));
}

void register_view(lua_State* lua, const char& key, const char* name, lua_CFunction read, CurrentCall& call) {
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_newtable(lua);
  lua_pushlightuserdata(lua, &call);
  lua_pushcclosure(lua, read, 1);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_write);
  lua_setfield(lua, -2, "__newindex");
  lua_pushstring(lua, name);
  lua_setfield(lua, -2, "__metatable");
  lua_rawset(lua, LUA_REGISTRYINDEX);
}

}  // namespace

void register_views(lua_State* lua, CurrentCall& call) {
  register_view(lua, session_key, "session", read_session, call);
  register_view(lua, person_key, "person", read_person, call);
  register_view(lua, record_key, "record", read_record, call);
}

void push_session(lua_State* lua, const CurrentCall& call) {
  push_view(lua, session_key, {call.number, 0});
  lua_newtable(lua);
  lua_setfenv(lua, -2);
}

void push_record(lua_State* lua, const CurrentCall& call, std::size_t row) {
  push_view(lua, record_key, {call.number, row});
}

}  // namespace callisto::script
