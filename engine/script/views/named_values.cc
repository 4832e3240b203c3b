#include "engine/script/views/named_values.h"

#include "engine/base/text.h"
#include "engine/script/views/values.h"
#include "engine/script/views/view.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Calls `use` with each name of the table at `index` while its value is on top of the stack.
void each_named(lua_State* lua, int index, const std::function<void(std::string_view)>& use) {
  if (!lua_istable(lua, index))
    luaL_error(lua, "values by name are expected here, { Name = value }, not %s", describe(lua, index).c_str());
  for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TSTRING) luaL_error(lua, "a value stands here without a name: { Name = value }");
    std::size_t size = 0;
    const char* name = lua_tolstring(lua, -2, &size);
    use({name, size});
  }
}

const catalog::Property* parameter_of(const catalog::Action* action, std::string_view name) {
  if (!action) return nullptr;
  for (const catalog::Parameter& each : action->parameters)
    if (each.property->name == name) return each.property;
  return nullptr;
}

std::string_view article(const catalog::Property& property) {
  return property.type == catalog::DataType::Integer ? "an " : "a ";
}

}  // namespace

const catalog::Property& checked_property(lua_State* lua, const catalog::Entity& entity, std::string_view name) {
  const catalog::Property* property = entity.find_property(name);
  if (!property) {
    std::vector<std::string_view> names;
    for (const catalog::Property* each : entity.properties) names.push_back(each->name);
    raise_unknown(lua, "'" + entity.name + "' has no property", name, names);
  }
  while (property->mirror_of) property = property->mirror_of;
  return *property;
}

Value checked_value(lua_State* lua, int index, const catalog::Property& property) {
  auto value = to_value(lua, index, property);
  if (!value) {
    std::string takes = std::string(article(property)) + catalog::name(property.type);
    if (property.type == catalog::DataType::Lookup) takes += " (the record's key)";
    if (property.type == catalog::DataType::Decimal)
      takes += " with " + std::to_string(property.scale) + " digits after the point";
    luaL_error(lua, "'%s' takes %s, not %s", property.name.c_str(), takes.c_str(), describe(lua, index).c_str());
  }
  return *std::move(value);
}

NamedValues read_input(lua_State* lua, int index, const catalog::Entity& entity, const catalog::Action* action) {
  NamedValues values;
  each_named(lua, index, [&](std::string_view name) {
    const catalog::Property* property = parameter_of(action, name);
    if (!property) property = entity.find_property(name);
    if (!property) {
      std::vector<std::string_view> names;
      for (const catalog::Property* each : entity.properties) names.push_back(each->name);
      if (action)
        for (const catalog::Parameter& each : action->parameters) names.push_back(each.property->name);
      std::string who = action ? "action '" + action->name + "' of '" + entity.name + "'" : "'" + entity.name + "'";
      raise_unknown(lua, who + " takes no", name, names);
    }
    values.emplace(name, checked_value(lua, lua_gettop(lua), *property));
  });
  return values;
}

Host::Match read_match(lua_State* lua, int index, const catalog::Entity& entity) {
  Host::Match match;
  each_named(lua, index, [&](std::string_view name) {
    const catalog::Property& property = checked_property(lua, entity, name);
    std::vector<Value>& values = match[&property];
    int given = lua_gettop(lua);
    if (!lua_istable(lua, given)) return values.push_back(checked_value(lua, given, property));
    for (int i = 1; i <= static_cast<int>(lua_objlen(lua, given)); ++i) {
      lua_rawgeti(lua, given, i);
      values.push_back(checked_value(lua, lua_gettop(lua), property));
      lua_pop(lua, 1);
    }
  });
  return match;
}

NamedValues read_row(lua_State* lua, int index) {
  NamedValues values;
  each_named(lua, index, [&](std::string_view name) {
    auto value = to_value(lua, -1);
    const auto* text = value ? std::get_if<std::string>(&*value) : nullptr;
    if (!value || (text && !text::is_utf8(*text)))
      luaL_error(lua, "'%s' of the history row is %s", std::string(name).c_str(),
                 describe(lua, lua_gettop(lua)).c_str());
    values.emplace(name, *std::move(value));
  });
  return values;
}

}  // namespace callisto::script
