#include "engine/script/library.h"

#include "engine/base/text.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/library/words_read.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

const char members_key = 0;  // registry key of the tables beneath the words, by name

// library "name" { ... } -> { ... }: what its file returns. The words of definitions come later, with a noun of this
// name that checks what it is given.
int take_options(lua_State* lua) {
  luaL_checktype(lua, 1, LUA_TTABLE);
  lua_settop(lua, 1);
  return 1;
}
int take_name(lua_State* lua) {
  luaL_checkstring(lua, 1);
  lua_pushcfunction(lua, take_options);
  return 1;
}

int refuse_member(lua_State* lua) {
  return luaL_error(lua, "library '%s' has no '%s'", lua_tostring(lua, lua_upvalueindex(1)),
                    lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : luaL_typename(lua, 2));
}

void push_all_members(lua_State* lua) {
  lua_pushlightuserdata(lua, const_cast<char*>(&members_key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  if (lua_istable(lua, -1)) return;
  lua_pop(lua, 1);
  lua_newtable(lua);
  lua_pushlightuserdata(lua, const_cast<char*>(&members_key));
  lua_pushvalue(lua, -2);
  lua_rawset(lua, LUA_REGISTRYINDEX);
}

void set_noun(lua_State* lua, lua_CFunction noun) {
  if (noun) lua_pushcfunction(lua, noun);
  else lua_pushnil(lua);
  add_global(lua, "library");
}

// The names of other libraries that each of them reads.
using Uses = std::map<std::string, std::set<std::string>>;

Uses uses_of(const Libraries& libraries) {
  std::set<std::string> names;
  for (const Source& each : libraries) names.insert(library_name(each));
  Uses uses;
  for (const Source& each : libraries)
    for (const WordRead& read : words_read(each.text))
      if (names.count(read.word) > 0 && read.word != library_name(each)) uses[library_name(each)].insert(read.word);
  return uses;
}

}  // namespace

Libraries libraries_of(const Program& program) {
  std::set<std::size_t> with_functions;
  for (const Function& function : program.functions) with_functions.insert(function.source);
  Libraries libraries;
  for (std::size_t i = 0; i < program.sources.size(); ++i)
    if (with_functions.count(i) == 0) libraries.push_back(program.sources[i]);
  return libraries;
}

std::string library_name(const Source& library) {
  const std::string name = library.file.substr(library.file.rfind('/') + 1);
  return name.substr(0, name.rfind('.'));
}

void add_library(lua_State* lua, const Source& library) {
  set_noun(lua, take_name);
  run_chunk(lua, library.text, ("@" + library.file).c_str());
  luaL_checktype(lua, -1, LUA_TTABLE);
  const std::string name = library_name(library);
  lua_newtable(lua);
  lua_pushlstring(lua, name.data(), name.size());
  lua_pushcclosure(lua, refuse_member, 1);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
  push_all_members(lua);
  lua_pushvalue(lua, -2);
  lua_setfield(lua, -2, name.c_str());
  lua_pop(lua, 1);
  add_frozen(lua, name.c_str());
  set_noun(lua, nullptr);
}

void add_libraries(lua_State* lua, const Libraries& libraries) {
  for (const Source& each : libraries) add_library(lua, each);
}

void push_members(lua_State* lua, const std::string& library) {
  push_all_members(lua);
  lua_getfield(lua, -1, library.c_str());
  lua_remove(lua, -2);
}

// Takes those that use none of the rest, again and again.
Libraries in_order(Libraries libraries, std::vector<catalog::Problem>& problems) {
  const Uses uses = uses_of(libraries);
  Libraries ordered;
  std::set<std::string> placed;
  const auto is_ready = [&](const Source& each) {
    const auto used = uses.find(library_name(each));
    return used == uses.end() || std::all_of(used->second.begin(), used->second.end(),
                                             [&](const std::string& name) { return placed.count(name) > 0; });
  };
  for (auto next = libraries.begin(); next != libraries.end();) {
    next = std::find_if(libraries.begin(), libraries.end(), is_ready);
    if (next == libraries.end()) break;
    placed.insert(library_name(*next));
    ordered.push_back(std::move(*next));
    libraries.erase(next);
    next = libraries.begin();
  }
  for (const Source& each : libraries)
    problems.push_back({{each.file, 0},
                        "library " + text::quoted(library_name(each)) + " uses itself, by way of what it uses",
                        "move what they share into a library of its own"});
  return ordered;
}

}  // namespace callisto::script
