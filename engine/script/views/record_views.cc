#include "engine/script/views/record_views.h"

#include "engine/catalog/naming.h"
#include "engine/script/views/named_values.h"
#include "engine/script/views/values.h"
#include "engine/script/views/view.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Registry keys of the metatables.
const char live_key = 0;
const char before_key = 0;
const char input_key = 0;
const char action_key = 0;

void check_writing(lua_State* lua, const CurrentCall& call) {
  if (!call.may_write) luaL_error(lua, "a history hook says what the row holds, and changes nothing");
}

const catalog::Property& property_of(lua_State* lua, const Read& read) {
  return checked_property(lua, read.call.host->entity(read.view.record), read.field);
}

// Methods first (upvalue 2): properties begin with a capital, so that none is hidden.
int read_live(lua_State* lua) {
  Read read = read_of(lua);
  lua_pushvalue(lua, 2);
  lua_rawget(lua, lua_upvalueindex(2));
  if (!lua_isnil(lua, -1)) return 1;
  push_value(lua, read.call.host->get(read.view.record, property_of(lua, read)));
  return 1;
}

int write_live(lua_State* lua) {
  Read read = read_of(lua);
  check_writing(lua, read.call);
  const catalog::Property& property = property_of(lua, read);
  Value value = checked_value(lua, 3, property);
  unwrap(lua, read.call, read.call.host->set(read.view.record, property, std::move(value)));
  return 0;
}

int read_before(lua_State* lua) {
  Read read = read_of(lua);
  push_value(lua, read.call.host->get_before(read.view.record, property_of(lua, read)));
  return 1;
}

int refuse_before(lua_State* lua) {
  return luaL_error(lua, "the record as it was cannot be changed: '%s'", lua_tostring(lua, 2));
}

// Both are live records: Lua asks only where the operands share this function.
int equals(lua_State* lua) {
  const auto& a = *static_cast<const View*>(lua_touserdata(lua, 1));
  const auto& b = *static_cast<const View*>(lua_touserdata(lua, 2));
  lua_pushboolean(lua, a.call == b.call && a.record == b.record);
  return 1;
}

// The record that a method is called on, with its text argument as the field.
Read method_of(lua_State* lua, const char* form) {
  if (!is_view(lua, 1, live_key) || lua_type(lua, 2) != LUA_TSTRING) luaL_error(lua, "write %s", form);
  return read_of(lua);
}

// record:act("name", { Parameter = value })
int act(lua_State* lua) {
  Read read = method_of(lua, "record:act(\"name\", { Parameter = value })");
  check_writing(lua, read.call);
  Host& host = *read.call.host;
  const catalog::Entity& entity = host.entity(read.view.record);
  const catalog::Action* action = entity.find_action(read.field);
  if (!action) {
    std::vector<std::string_view> names;
    for (const catalog::Action* each : entity.actions) names.push_back(each->name);
    return raise_unknown(lua, "'" + entity.name + "' has no action", read.field, names);
  }
  NamedValues input;
  if (!lua_isnoneornil(lua, 3)) input = read_input(lua, 3, entity, action);
  unwrap(lua, read.call, host.act(read.view.record, action->name, input));
  return 0;
}

// record:raise "Event"
int raise(lua_State* lua) {
  Read read = method_of(lua, "record:raise \"Event\"");
  if (!catalog::is_pascal_name(read.field))
    return luaL_error(lua, "an event's name begins with a capital and has letters and digits only, not '%s'",
                      std::string(read.field).c_str());
  read.call.host->raise(read.view.record, read.field);
  return 0;
}

// record:keep_secret(input.Password)
int keep_secret(lua_State* lua) {
  Read read = method_of(lua, "record:keep_secret(input.Parameter), of a parameter with secret = \"new\"");
  check_writing(lua, read.call);
  unwrap(lua, read.call, read.call.host->keep_secret(read.view.record, read.field));
  return 0;
}

// record:make_secret "Secret"
int make_secret(lua_State* lua) {
  Read read = method_of(lua, "record:make_secret \"Property\", of a property with sealed = true");
  check_writing(lua, read.call);
  const catalog::Property& property = property_of(lua, read);
  if (!property.sealed) luaL_error(lua, "'%s' holds no secret: make it sealed = true", property.name.c_str());
  unwrap(lua, read.call, read.call.host->make_secret(read.view.record, property));
  return 0;
}

void check_input_name(lua_State* lua, const Read& read) {
  const catalog::Action& action = *read.call.action;
  const catalog::Entity* entity = action.is_own() ? nullptr : &read.call.host->entity(read.view.record);
  const bool is_parameter = std::any_of(action.parameters.begin(), action.parameters.end(),
                                        [&](const auto& each) { return each.property->name == read.field; });
  if (is_parameter || !read.call.may_write || (entity && entity->find_property(read.field))) return;
  std::vector<std::string_view> names;
  for (const catalog::Parameter& each : action.parameters) names.push_back(each.property->name);
  if (entity)
    for (const catalog::Property* each : entity->properties) names.push_back(each->name);
  raise_unknown(lua, "action '" + action.name + "' has no parameter", read.field, names);
}

// A parameter's value, nil where the request has none. Create and update also take properties of the entity. One
// history hook serves all actions of its entity, so it may ask for what this one has not.
int read_input(lua_State* lua) {
  Read read = read_of(lua);
  const auto given = read.call.input->find(read.field);
  if (given == read.call.input->end()) check_input_name(lua, read);
  push_value(lua, given == read.call.input->end() ? Value(Null{}) : given->second);
  return 1;
}

int refuse_input(lua_State* lua) {
  return luaL_error(lua, "what the request said cannot be changed: '%s'", lua_tostring(lua, 2));
}

int read_action(lua_State* lua) {
  Read read = read_of(lua);
  const catalog::Action& action = *read.call.action;
  for (const auto& [name, text] : {std::pair<std::string_view, const std::string&>{"name", action.name},
                                   {"title", action.title},
                                   {"description", action.description}})
    if (name == read.field) {
      lua_pushlstring(lua, text.data(), text.size());
      return 1;
    }
  return raise_unknown(lua, "an action has no", read.field, {"name", "title", "description"});
}

int refuse_action(lua_State* lua) {
  return luaL_error(lua, "an action cannot be changed by a script: '%s'", lua_tostring(lua, 2));
}

void add_method(lua_State* lua, const char* name, lua_CFunction function, const CurrentCall& call) {
  lua_pushlightuserdata(lua, const_cast<CurrentCall*>(&call));
  lua_pushcclosure(lua, function, 1);
  lua_setfield(lua, -2, name);
}

// A live record also has methods and an identity.
void extend_live(lua_State* lua, const CurrentCall& call) {
  push_metatable(lua, live_key);
  lua_pushlightuserdata(lua, const_cast<CurrentCall*>(&call));
  lua_newtable(lua);
  add_method(lua, "act", act, call);
  add_method(lua, "raise", raise, call);
  add_method(lua, "keep_secret", keep_secret, call);
  add_method(lua, "make_secret", make_secret, call);
  lua_pushcclosure(lua, read_live, 2);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, equals);
  lua_setfield(lua, -2, "__eq");
  lua_pop(lua, 1);
}

}  // namespace

void register_record_views(lua_State* lua, const CurrentCall& call) {
  register_view(lua, live_key, "record", read_live, write_live, call);
  extend_live(lua, call);
  register_view(lua, before_key, "record", read_before, refuse_before, call);
  register_view(lua, input_key, "input", read_input, refuse_input, call);
  register_view(lua, action_key, "action", read_action, refuse_action, call);
}

void push_live(lua_State* lua, const CurrentCall& call, Host::Handle record) {
  push_view(lua, live_key, {call.number, record});
}

std::optional<Host::Handle> to_live(lua_State* lua, int index) {
  if (!is_view(lua, index, live_key)) return std::nullopt;
  return static_cast<const View*>(lua_touserdata(lua, index))->record;
}

void push_before(lua_State* lua, const CurrentCall& call, Host::Handle record) {
  push_view(lua, before_key, {call.number, record});
}

void push_input(lua_State* lua, const CurrentCall& call, Host::Handle record) {
  push_view(lua, input_key, {call.number, record});
}

void push_action(lua_State* lua, const CurrentCall& call) { push_view(lua, action_key, {call.number, 0}); }

}  // namespace callisto::script
