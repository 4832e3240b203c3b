// The vocabulary of lua/dsl.lua inside one state. Call inside LuaState::run only.
#pragma once

#include <string>
#include <string_view>
#include <vector>

struct lua_State;

namespace callisto::script {

// Gives the nouns to the sandbox's chunks. Lines are looked for in `source`, which must outlive the state's run.
void open_dsl(lua_State* lua, const std::string_view& source);

void push_dsl(lua_State* lua, const char* field);     // "check", "code" or "nouns"
std::vector<std::string> noun_names(lua_State* lua);  // the keys of the table of nouns on top of the stack

// A Lua text that belongs to the program (lua/), by its file; empty: there is none.
std::string_view program_text(std::string_view file);

}  // namespace callisto::script
