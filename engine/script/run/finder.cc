#include "engine/script/run/finder.h"

#include "engine/script/library/sandbox.h"
#include "engine/script/views/named_values.h"
#include "engine/script/views/query_values.h"
#include "engine/script/views/record_views.h"
#include "engine/script/views/values.h"
#include "engine/script/views/view.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <lua.hpp>

namespace callisto::script {
namespace {

const CurrentCall& checked_call(lua_State* lua) {
  const CurrentCall& call = call_of(lua);
  if (!call.host) luaL_error(lua, "'desk' is for actions and hooks, while they run");
  return call;
}

const catalog::Entity& checked_entity(lua_State* lua, const CurrentCall& call) {
  std::size_t size = 0;
  if (lua_isuserdata(lua, 1) != 0)
    luaL_error(lua, "the functions of desk are called with a dot, not with a colon: desk.search(\"call\", ...)");
  const char* text = luaL_checklstring(lua, 1, &size);
  const catalog::Catalog& catalog = *call.program->catalog;
  const catalog::Entity* entity = catalog.find({text, size});
  if (!entity) raise_unknown(lua, "there is no entity", {text, size}, catalog.entity_names());
  return *entity;
}

std::int64_t checked_key(lua_State* lua, const CurrentCall& call, int index) {
  if (const auto record = key_of_record(lua, call, index)) return *record;
  const auto key = to_value(lua, index, catalog::DataType::Long);
  if (!key || is_null(*key))
    luaL_error(lua, "a key is expected here, a whole number, not %s", describe(lua, index).c_str());
  return std::get<std::int64_t>(*key);
}

std::string parts_of(const catalog::Entity& entity) {
  std::string names;
  for (const catalog::Property* part : entity.key) names += (names.empty() ? "" : ", ") + part->name;
  return names;
}

// desk.find(entity, key) -> record, or nil. A key of several parts is given in their order.
int find(lua_State* lua) {
  const CurrentCall& call = checked_call(lua);
  const catalog::Entity& entity = checked_entity(lua, call);
  const int parts = static_cast<int>(entity.key.size());
  if (parts == 1) lua_settop(lua, 2);
  if (lua_gettop(lua) != parts + 1)
    luaL_error(lua, "the key of '%s' is %s: desk.find(\"%s\", %s)", entity.name.c_str(), parts_of(entity).c_str(),
               entity.name.c_str(), parts_of(entity).c_str());
  if (parts == 1 && (lua_isnil(lua, 2) || is_null_word(lua, 2))) return lua_pushnil(lua), 1;
  Host::Key key;
  for (int part = 0; part < parts; ++part) key.push_back(checked_key(lua, call, part + 2));
  auto found = unwrap(lua, call, call.host->find(entity, key));
  if (found) push_live(lua, call, *found);
  else lua_pushnil(lua);
  return 1;
}

void push_records(lua_State* lua, const CurrentCall& call, const std::vector<Host::Handle>& found) {
  lua_createtable(lua, static_cast<int>(found.size()), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    push_live(lua, call, found[i]);
    lua_rawseti(lua, -2, static_cast<int>(i) + 1);
  }
}

// { Property = value or list }: the records that have these, by key.
std::vector<Host::Handle> matching(lua_State* lua, const CurrentCall& call, const catalog::Entity& entity) {
  Host::Match match = read_match(lua, 2, entity);
  const bool is_empty = std::any_of(match.begin(), match.end(), [](const auto& each) { return each.second.empty(); });
  if (is_empty) return {};  // one of no values: no record
  return unwrap(lua, call, call.host->search(entity, match));
}

// desk.search(entity, filter, values..., { orderby = "LoggedDate desc", top = 10 }) -> list of records
int search(lua_State* lua) {
  const CurrentCall& call = checked_call(lua);
  const catalog::Entity& entity = checked_entity(lua, call);
  if (lua_istable(lua, 2)) return push_records(lua, call, matching(lua, call, entity)), 1;
  const Host::Query query = read_query(lua, call, {true, true});
  push_records(lua, call, unwrap(lua, call, call.host->search(entity, query)));
  return 1;
}

// desk.first(entity, filter, values..., { orderby = ... }) -> record, or nil
int first(lua_State* lua) {
  const CurrentCall& call = checked_call(lua);
  const catalog::Entity& entity = checked_entity(lua, call);
  std::vector<Host::Handle> found;
  if (lua_istable(lua, 2)) {
    found = matching(lua, call, entity);
  } else {
    Host::Query query = read_query(lua, call, {true, false});
    query.top = 1;
    found = unwrap(lua, call, call.host->search(entity, query));
  }
  if (found.empty()) lua_pushnil(lua);
  else push_live(lua, call, found.front());
  return 1;
}

// desk.count(entity, filter, values...) -> number
int count(lua_State* lua) {
  const CurrentCall& call = checked_call(lua);
  const catalog::Entity& entity = checked_entity(lua, call);
  if (lua_istable(lua, 2))
    luaL_error(lua, "desk.count takes a filter: desk.count(\"%s\", \"Property == ?\", value)", entity.name.c_str());
  const Host::Query query = read_query(lua, call, {false, false});
  push_value(lua, unwrap(lua, call, call.host->count(entity, query)));
  return 1;
}

// desk.create(entity, { Property = value }) -> record
int create(lua_State* lua) {
  const CurrentCall& call = checked_call(lua);
  if (!call.may_write) luaL_error(lua, "a history hook says what the row holds, and changes nothing");
  const catalog::Entity& entity = checked_entity(lua, call);
  if (entity.abstract) luaL_error(lua, "'%s' is abstract: create one of its children", entity.name.c_str());
  NamedValues values = read_input(lua, 2, entity, entity.find_action("create"));
  push_live(lua, call, unwrap(lua, call, call.host->create(entity, values)));
  return 1;
}

}  // namespace

void add_desk(lua_State* lua, const CurrentCall& call) {
  lua_newtable(lua);
  for (const auto& [name, function] :
       {luaL_Reg{"find", find}, {"search", search}, {"first", first}, {"count", count}, {"create", create}}) {
    lua_pushlightuserdata(lua, const_cast<CurrentCall*>(&call));
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
  }
  add_frozen(lua, "desk");
}

}  // namespace callisto::script
