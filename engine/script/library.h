// Libraries: scripts/lib/<name>.lua returns `library "<name>" { ... }`, functions and plain data that all scripts and
// specs then have by that name, just as they have datetime. Call inside LuaState::run only.
#pragma once

#include "engine/script/program.h"

#include <string>
#include <vector>

struct lua_State;

namespace callisto::script {

using Libraries = std::vector<Source>;  // each behind those that it uses

Libraries libraries_of(const Program& program);  // the sources that hold no function of a definition

// Makes each of them a word that cannot be changed; asking for what it has not is an error. Leaves nothing behind.
void add_library(lua_State* lua, const Source& library);
void add_libraries(lua_State* lua, const Libraries& libraries);
void push_members(lua_State* lua, const std::string& library);  // the table beneath that word, for a Guard

// In the order in which they can be loaded. What uses itself by way of others is told and left out; so is a name that
// means something else.
Libraries in_order(Libraries libraries, std::vector<catalog::Problem>& problems);
std::string library_name(const Source& library);  // of its file

}  // namespace callisto::script
