// The sandbox of ARCHITECTURE.md: allow-listed libraries behind frozen globals, text chunks only. Nothing in it reaches
// files, the process, other chunks' globals or the interpreter itself. Call inside LuaState::run only; errors are Lua
// errors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

struct lua_State;

namespace callisto::script {

void open_sandbox(lua_State* lua);  // once for each state

// Adds the value on top of the stack (popped) to what every chunk sees by `name`.
void add_global(lua_State* lua, const char* name);

// The same for the table on top of the stack, which nobody can change from then on.
void add_frozen(lua_State* lua, const char* name);

// A read-only view in place of the table on top of the stack. A userdata, so that no table function (rawset,
// table.insert, next) can work on it.
void freeze(lua_State* lua, const char* name);

// Why a chunk that reads the global `name` fails: "unknown word 'name'"; empty where there is one.
std::string unknown_word(lua_State* lua, const char* name);

// Pushes the library that chunks see by `name` and answers true; pushes nothing where there is none.
bool push_library(lua_State* lua, const char* name);

// The names of what that library has; empty where there is none.
std::vector<std::string> members_of(lua_State* lua, const char* library);

// Compiles and runs a chunk with the `arguments` values on top of the stack (popped); leaves its one result there, or
// as many as `results` says. `name` is as Lua wants it: "@file".
void run_chunk(lua_State* lua, std::string_view text, const char* name, int arguments = 0, int results = 1);

// The same of a chunk for which `word` means the value on top of the stack, above the arguments (popped too).
void run_chunk_with(lua_State* lua, std::string_view text, const char* name, const char* word, int arguments = 0,
                    int results = 1);

}  // namespace callisto::script
