#include "engine/script/views/views.h"

#include "engine/script/views/values.h"
#include "engine/script/views/view.h"

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Registry keys of the metatables.
const char session_key = 0;
const char person_key = 0;
const char record_key = 0;

// Of roles, besides entity:Operation: those that `allowed` knows.
constexpr std::string_view rights[] = {"Administration", "Integration"};

// A record of a page is its number among all that were given to scripts: light userdata, which costs neither memory nor
// collecting. All light userdata have one metatable, and the null of scripts is 0.
std::size_t row_of(lua_State* lua, const CurrentCall& call) {
  const auto number = reinterpret_cast<std::uintptr_t>(lua_touserdata(lua, 1));
  if (number == 0) luaL_error(lua, "attempt to index null");
  const std::size_t row = number - call.first_record;
  if (!call.rows || row >= call.rows->count) raise_over(lua);
  return row;
}

int read_record(lua_State* lua) {
  const CurrentCall& call = call_of(lua);
  const std::size_t row = row_of(lua, call);
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, 2, &size);
  const std::string_view field(text, size);
  const auto& needs = call.augmenter->needs;
  for (std::size_t i = 0; i < needs.size(); ++i)
    if (needs[i] == field) {
      push_value(lua, call.rows->values[row * needs.size() + i]);
      return 1;
    }
  return raise_unknown(lua, "'needs' does not list", field, {needs.begin(), needs.end()});
}

// Properties of the person's record; all are nil where nobody is signed in.
int read_person(lua_State* lua) {
  Read read = read_of(lua);
  push_value(lua, unwrap(lua, read.call, read.call.session->of_person(read.field)));
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

// Nothing where it sees all of them.
void push_partitions(lua_State* lua, const SessionFacts& session) {
  if (session.partitions) push_list(lua, {session.partitions->begin(), session.partitions->end()});
  else lua_pushnil(lua);
}

// session.<list>, by its place: made once for each call, kept in the view's own environment table.
int read_list(lua_State* lua, const Read& read, std::size_t place) {
  lua_getfenv(lua, 1);
  lua_pushvalue(lua, 2);
  lua_rawget(lua, -2);
  if (!lua_isnil(lua, -1)) return 1;
  lua_pop(lua, 1);
  push_list(lua, *unwrap(lua, read.call, read.call.session->list(place)));
  lua_pushvalue(lua, 2);
  lua_pushvalue(lua, -2);
  lua_rawset(lua, -4);
  return 1;
}

// session:may "Administration"
int may(lua_State* lua) {
  if (!is_view(lua, 1, session_key) || lua_type(lua, 2) != LUA_TSTRING)
    return luaL_error(lua, "write session:may \"Administration\"");
  const Read read = read_of(lua);
  if (std::find(std::begin(rights), std::end(rights), read.field) == std::end(rights))
    return raise_unknown(lua, "there is no right", read.field, {std::begin(rights), std::end(rights)});
  lua_pushboolean(lua, read.call.session->may(read.field));
  return 1;
}

int read_session(lua_State* lua) {
  Read read = read_of(lua);
  if (read.field == "user_id") return push_value(lua, read.call.session->user_id), 1;
  if (read.field == "id") return push_value(lua, read.call.session->id), 1;
  if (read.field == "type") return push_value(lua, read.call.session->type), 1;
  if (read.field == "partitions") return push_partitions(lua, *read.call.session), 1;
  if (read.field == "person") return push_view(lua, person_key, read.view), 1;
  if (read.field == "may") {
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_pushcclosure(lua, may, 1);
    return 1;
  }
  const auto& lists = read.call.program->session_lists;
  for (std::size_t place = 0; place < lists.size(); ++place)
    if (lists[place].name == read.field) return read_list(lua, read, place);
  std::vector<std::string_view> candidates(std::begin(session_words), std::end(session_words));
  for (const auto& list : lists) candidates.emplace_back(list.name);
  return raise_unknown(lua, "the session has no", read.field, candidates);
}

int refuse_session(lua_State* lua) {
  return luaL_error(lua, "a script only reads the session: '%s' cannot be changed", lua_tostring(lua, 2));
}

int refuse_record(lua_State* lua) {
  row_of(lua, call_of(lua));
  return luaL_error(lua, "an augmenter only reads: '%s' cannot be changed here", lua_tostring(lua, 2));
}

}  // namespace

void register_views(lua_State* lua, const CurrentCall& call) {
  register_view(lua, session_key, "session", read_session, refuse_session, call);
  register_view(lua, person_key, "person", read_person, refuse_session, call);
  register_view(lua, record_key, "record", read_record, refuse_record, call);
  lua_pushlightuserdata(lua, nullptr);
  push_metatable(lua, record_key);
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

void push_session(lua_State* lua, const CurrentCall& call) {
  push_view(lua, session_key, {call.number, 0});
  lua_newtable(lua);
  lua_setfenv(lua, -2);
}

void push_record(lua_State* lua, const CurrentCall& call, std::size_t row) {
  lua_pushlightuserdata(lua, reinterpret_cast<void*>(call.first_record + row));
}

}  // namespace callisto::script
