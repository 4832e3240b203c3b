#include "engine/script/views/take_answer.h"

#include "engine/script/views/record_views.h"
#include "engine/script/views/values.h"

#include <algorithm>
#include <string>

#include <lua.hpp>

namespace callisto::script {

namespace {

using catalog::Entity;

// Only constant texts and names of definitions, which Lua copies: nothing is left to be freed.
void take_record(lua_State* lua, const catalog::Action& action, Host& host, Host::Handle record,
                 Host::Handle answered) {
  const Entity& type = host.entity(answered);
  const Entity* promised = action.answers.entity;
  const bool fits = promised ? type.is_or_extends(*promised) : &type.root() == &host.entity(record).root();
  if (!fits || !action.answers.properties.empty())
    luaL_error(lua, "run returned a %s: write answers = \"%s\" in %s:%d", type.name.c_str(), type.name.c_str(),
               action.file.c_str(), action.line);
  host.answer(answered);
}

bool is_promised(const catalog::Action& action, const char* name) {
  const auto& all = action.answers.properties;
  return std::any_of(all.begin(), all.end(), [&](const catalog::Property* each) { return each->name == name; });
}

void check_names(lua_State* lua, const catalog::Action& action) {
  for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1)) {
    const char* name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "[...]";
    if (!is_promised(action, name))
      luaL_error(lua, "run returned '%s', which is not in 'answers' of %s:%d", name, action.file.c_str(), action.line);
  }
}

void take_values(lua_State* lua, const catalog::Action& action, Host& host) {
  check_names(lua, action);
  const catalog::Property* wrong = nullptr;
  {
    NamedValues values;
    for (const catalog::Property* property : action.answers.properties) {
      lua_getfield(lua, -1, property->name.c_str());
      const auto value = to_value(lua, -1, *property);
      lua_pop(lua, 1);
      if (!value) wrong = property;
      else values.emplace(property->name, *value);
    }
    if (!wrong) host.answer(std::move(values));
  }
  if (wrong) luaL_error(lua, "'%s' of what run returned is no %s", wrong->name.c_str(), catalog::name(wrong->type));
}

}  // namespace

void take_answer(lua_State* lua, const catalog::Action& action, Host& host, Host::Handle record) {
  if (const auto answered = to_live(lua, -1)) return take_record(lua, action, host, record, *answered);
  const bool is_nothing = lua_isnil(lua, -1) || lua_isboolean(lua, -1) || lua_islightuserdata(lua, -1);
  if (!action.answers.properties.empty()) {
    if (!lua_istable(lua, -1))
      luaL_error(lua, "run returned %s; it returns a table of what 'answers' says", luaL_typename(lua, -1));
    return take_values(lua, action, host);
  }
  if (is_nothing && action.answers.entity)
    luaL_error(lua, "run returned nothing; it returns a %s, as 'answers' says", action.answers.entity->name.c_str());
  if (!is_nothing)
    luaL_error(lua, "run returned %s; it returns a record, which is the answer, false, or nothing",
               luaL_typename(lua, -1));
}

}  // namespace callisto::script
