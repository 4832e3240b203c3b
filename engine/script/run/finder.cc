#include "engine/script/run/finder.h"

#include "engine/script/library/sandbox.h"
#include "engine/script/views/named_values.h"
#include "engine/script/views/record_views.h"
#include "engine/script/views/values.h"
#include "engine/script/views/view.h"

#include <algorithm>
#include <string_view>

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
  const char* text = luaL_checklstring(lua, 1, &size);
  const catalog::Catalog& catalog = *call.program->catalog;
  const catalog::Entity* entity = catalog.find({text, size});
  if (!entity) raise_unknown(lua, "there is no entity", {text, size}, catalog.entity_names());
  return *entity;
}

// desk.find(entity, key) -> record, or nil
int find(lua_State* lua) {
  const CurrentCall& call = checked_call(lua);
  const catalog::Entity& entity = checked_entity(lua, call);
  if (entity.key.size() != 1)
    luaL_error(lua, "the key of '%s' has several parts: use desk.search", entity.name.c_str());
  lua_settop(lua, 2);
  auto key = to_value(lua, 2, catalog::DataType::Long);
  if (!key) luaL_error(lua, "a key is due here, a whole number, and not %s", describe(lua, 2).c_str());
  if (is_null(*key)) return lua_pushnil(lua), 1;
  auto found = unwrap(lua, call, call.host->find(entity, std::get<std::int64_t>(*key)));
  if (found) push_live(lua, call, *found);
  else lua_pushnil(lua);
  return 1;
}

// desk.search(entity, { Property = value or list }) -> list of records
int search(lua_State* lua) {
  const CurrentCall& call = checked_call(lua);
  const catalog::Entity& entity = checked_entity(lua, call);
  Host::Match match = read_match(lua, 2, entity);
  bool is_empty = std::any_of(match.begin(), match.end(), [](const auto& each) { return each.second.empty(); });
  std::vector<Host::Handle> found;
  if (!is_empty) found = unwrap(lua, call, call.host->search(entity, match));  // one of no values: no record
  lua_createtable(lua, static_cast<int>(found.size()), 0);
  for (std::size_t i = 0; i < found.size(); ++i) {
    push_live(lua, call, found[i]);
    lua_rawseti(lua, -2, static_cast<int>(i) + 1);
  }
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
  for (const auto& [name, function] : {luaL_Reg{"find", find}, {"search", search}, {"create", create}}) {
    lua_pushlightuserdata(lua, const_cast<CurrentCall*>(&call));
    lua_pushcclosure(lua, function, 1);
    lua_setfield(lua, -2, name);
  }
  add_frozen(lua, "desk");
}

}  // namespace callisto::script
