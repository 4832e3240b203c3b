#include "engine/script/run/sign_in_call.h"

#include "engine/catalog/catalog.h"
#include "engine/script/library/bindings.h"
#include "engine/script/views/named_values.h"
#include "engine/script/views/values.h"
#include "engine/script/views/view.h"

#include <algorithm>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Of every ID token (OpenID Connect Core 2).
constexpr std::string_view always[] = {"iss", "sub"};

// (claims, name): of a name that the table does not have.
int missing_claim(lua_State* lua) {
  const auto& rule = *static_cast<const SignInRule*>(lua_touserdata(lua, lua_upvalueindex(1)));
  std::size_t size = 0;
  const char* text = lua_tolstring(lua, 2, &size);
  const std::string_view name = text ? std::string_view(text, size) : std::string_view();
  const auto names_it = [&](const auto& list) {
    return std::find(std::begin(list), std::end(list), name) != std::end(list);
  };
  if (names_it(rule.claims) || names_it(always)) return lua_pushnil(lua), 1;
  std::vector<std::string_view> names(rule.claims.begin(), rule.claims.end());
  raise_unknown(lua, "'claims' of sign_in does not name", name, names);
}

void push_member(lua_State* lua, const json::Node& claims, std::string_view name) {
  const json::Node* found = claims.find(name);
  if (!found || found->is_null()) return;
  lua_pushlstring(lua, name.data(), name.size());
  push_json(lua, *found);
  lua_rawset(lua, -3);
}

std::vector<std::string> read_roles(lua_State* lua, int index, const SignInRule& rule) {
  std::vector<std::string> roles;
  if (lua_isnil(lua, index)) return roles;
  if (!lua_istable(lua, index))
    luaL_error(lua, "the second value that 'run' returns is a list of roles, not %s", describe(lua, index).c_str());
  for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
    if (lua_type(lua, -2) != LUA_TNUMBER || lua_type(lua, -1) != LUA_TSTRING)
      luaL_error(lua, "the roles that 'run' returns are a list of their names: { \"One\", \"Two\" }");
    std::size_t size = 0;
    const char* text = lua_tolstring(lua, -1, &size);
    const std::string_view name(text, size);
    if (std::find(rule.gives.begin(), rule.gives.end(), name) == rule.gives.end())
      raise_unknown(lua, "'gives' of sign_in has no role", name, {rule.gives.begin(), rule.gives.end()});
    roles.emplace_back(name);
  }
  return roles;
}

}  // namespace

void push_claims(lua_State* lua, const SignInRule& rule, const json::Node& claims) {
  lua_newtable(lua);
  for (const std::string_view name : always) push_member(lua, claims, name);
  for (const std::string& name : rule.claims) push_member(lua, claims, name);
  lua_createtable(lua, 0, 2);
  lua_pushlightuserdata(lua, const_cast<SignInRule*>(&rule));
  lua_pushcclosure(lua, missing_claim, 1);
  lua_setfield(lua, -2, "__index");
  lua_pushliteral(lua, "claims");
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
}

SignInAnswer read_sign_in_answer(lua_State* lua, const Program& program) {
  const int roles = lua_gettop(lua), person = roles - 1;
  if (!lua_istable(lua, person))
    luaL_error(lua,
               "'run' of sign_in returned %s; it returns the person's properties, { Name = value }, and a list of "
               "roles, or refuses by forbid \"text\"",
               luaL_typename(lua, person));
  const catalog::Entity& entity = *program.catalog->find(catalog::system::person_entity);
  SignInAnswer answer{read_input(lua, person, entity, nullptr), read_roles(lua, roles, *program.sign_in)};
  for (const auto& [name, value] : answer.person)
    if (entity.find_property(name)->readonly)
      luaL_error(lua, "'%s' of '%s' is read-only", name.c_str(), entity.name.c_str());
  return answer;
}

}  // namespace callisto::script
