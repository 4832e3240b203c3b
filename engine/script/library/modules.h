// Modules: what `require "lib.hours"` gives: the frozen table that <entity>/lib/hours.lua returns. A State runs each of
// them once. Call inside LuaState::run only.
#pragma once

#include "engine/script/program.h"

#include <cstddef>
#include <string>
#include <vector>

struct lua_State;

namespace callisto::script {

// `number`: of a library of scripts/lib, which goes by its name alone.
inline constexpr std::size_t library_number = static_cast<std::size_t>(-1);

// Runs the module, after those that it requires, and keeps its table as that number. Leaves nothing behind.
void add_module(lua_State* lua, const Source& module, std::size_t number);
void push_module_members(lua_State* lua, std::size_t number);  // the table beneath, for a Guard

// Runs a chunk whose `require` knows what its source requires; as run_chunk.
void run_source(lua_State* lua, const Source& source, const char* name, int arguments = 0, int results = 1);

}  // namespace callisto::script
