#include "engine/script/views.h"

#include "engine/script/values.h"
#include "engine/script/view.h"

#include <string>
#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Registry keys of the metatables.
const char session_key = 0;
const char person_key = 0;
const char record_key = 0;

int read_record(lua_State* lua) {
  Read read = read_of(lua);
  const auto& needs = read.call.augmenter->needs;
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (needs[i] == read.field) {
      push_value(lua, read.call.rows->values.at(read.view.record * needs.size() + i));
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
  if (read.field == "id") return push_value(lua, read.call.session->id), 1;
  if (read.field == "type") return push_value(lua, read.call.session->type), 1;
  if (read.field == "person") return push_view(lua, person_key, read.view), 1;
  std::vector<std::string_view> candidates{"id", "user_id", "type", "person"};
  for (const SessionList& list : read.call.program->session_lists) {
    if (list.name == read.field) return read_list(lua, read);
    candidates.emplace_back(list.name);
  }
  return raise_unknown(lua, "the session has no", read.field, candidates);
}

int refuse_session(lua_State* lua) {
  return luaL_error(lua, "a script only reads the session: '%s' cannot be changed", lua_tostring(lua, 2));
}

int refuse_record(lua_State* lua) {
  return luaL_error(lua, "an augmenter reads only: '%s' cannot be changed here", lua_tostring(lua, 2));
}

}  // namespace

void register_views(lua_State* lua, const CurrentCall& call) {
  register_view(lua, session_key, "session", read_session, refuse_session, call);
  register_view(lua, person_key, "person", read_person, refuse_session, call);
  register_view(lua, record_key, "record", read_record, refuse_record, call);
}

void push_session(lua_State* lua, const CurrentCall& call) {
  push_view(lua, session_key, {call.number, 0});
  lua_newtable(lua);
  lua_setfenv(lua, -2);
}

void push_record_kind(lua_State* lua) { push_metatable(lua, record_key); }

void push_record(lua_State* lua, const CurrentCall& call, int kind, std::size_t row) {
  push_view(lua, kind, {call.number, row});
}

}  // namespace callisto::script
