// Reads definitions from the clean tables that `check` of lua/dsl.lua makes. Each function reads the table on top of
// the stack and leaves it there; a missing field keeps its default. Call inside LuaState::run only.
#pragma once

#include "engine/catalog/builder.h"
#include "engine/script/program.h"

#include <string>
#include <vector>

struct lua_State;

namespace callisto::script {

std::string read_noun(lua_State* lua);
std::string read_name(lua_State* lua);
int read_line(lua_State* lua);
catalog::PropertyDefinition read_property(lua_State* lua, const std::string& file);
catalog::EntityDefinition read_entity(lua_State* lua, const std::string& file);
catalog::CommonDefinition read_common(lua_State* lua, const std::string& file);
catalog::AugmenterDefinition read_augmenter(lua_State* lua, const std::string& file);
SessionList read_session_list(lua_State* lua, const std::string& file);
std::vector<ScimResource> read_scim(lua_State* lua, const std::string& file);
SignInRule read_sign_in(lua_State* lua, const std::string& file);

}  // namespace callisto::script
