#include "engine/script/library/sandbox.h"

#include "engine/script/library/bindings.h"
#include "engine/script/library/exact.h"
#include "engine/script/library/lua_state.h"

#include <algorithm>
#include <cstring>
#include <initializer_list>

#include <lua.hpp>

namespace callisto::script {
namespace {

// Registry keys: what chunks see as globals, and the empty table before it that is their environment.
const char globals_key = 0;
const char environment_key = 0;

using Names = std::initializer_list<const char*>;

constexpr Names base_names = {"assert", "error",  "getmetatable", "ipairs",   "next",     "pairs", "rawequal", "rawget",
                              "rawset", "select", "setmetatable", "tonumber", "tostring", "type",  "unpack"};
constexpr Names string_names = {"byte", "char", "len", "sub"};
constexpr Names guarded_string_names = {"format", "lower", "reverse", "upper"};
constexpr Names guarded_table_names = {"concat"};
constexpr Names math_names = {"abs",   "acos", "asin",  "atan", "atan2", "ceil", "cos",   "cosh", "deg", "exp",
                              "floor", "fmod", "frexp", "huge", "ldexp", "log",  "log10", "max",  "min", "modf",
                              "pi",    "pow",  "rad",   "sin",  "sinh",  "sqrt", "tan",   "tanh"};
constexpr Names varying_math_names = {"random"};
constexpr Names bit_names = {"arshift", "band", "bnot", "bor",    "bswap", "bxor",
                             "lshift",  "rol",  "ror",  "rshift", "tobit", "tohex"};
// Of Lua, but kept from scripts.
constexpr Names withheld_names = {
    "collectgarbage", "coroutine",  "debug",  "dofile",   "ffi", "gcinfo",  "getfenv", "io",      "jit",   "load",
    "loadfile",       "loadstring", "module", "newproxy", "os",  "package", "print",   "setfenv", "xpcall"};

constexpr const char* withheld_form = "'%s' is not available to scripts";
constexpr const char* unknown_form = "unknown word '%s'";

void push_registered(lua_State* lua, const char& key) {
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
}

void keep_registered(lua_State* lua, const char& key) {
  lua_pushlightuserdata(lua, const_cast<char*>(&key));
  lua_insert(lua, -2);
  lua_rawset(lua, LUA_REGISTRYINDEX);
}

void load_library(lua_State* lua, const char* name, lua_CFunction open) {
  lua_pushcfunction(lua, open);
  lua_pushstring(lua, name);
  lua_call(lua, 1, 0);
}

// The function that upvalue 1 of the one that runs holds, with all of its arguments.
void call_library(lua_State* lua) {
  lua_pushvalue(lua, lua_upvalueindex(1));
  lua_insert(lua, 1);
  lua_call(lua, lua_gettop(lua) - 1, 1);
}

// Calls the library's function (upvalue 1), with a look at the clock before and at the size of a text after. They may
// call back (the order of sort, __tostring in format), so they count as nested.
int guarded(lua_State* lua) {
  LuaState::of(lua).check_time(lua);
  LuaState::Nesting nesting(lua);
  call_library(lua);
  if (lua_type(lua, -1) == LUA_TSTRING) check_text_size(lua, lua_objlen(lua, -1));
  return 1;
}

// Calls the library's function (upvalue 1), which answers differently each time.
int varying(lua_State* lua) {
  LuaState::of(lua).note_varying();
  call_library(lua);
  return 1;
}

// From the library at `source` into the table on top of the stack, each called through `around` where that is given.
void copy(lua_State* lua, int source, Names names, lua_CFunction around = nullptr) {
  for (const char* name : names) {
    lua_getfield(lua, source, name);
    if (around) lua_pushcclosure(lua, around, 1);
    lua_setfield(lua, -2, name);
  }
}

int refuse_write(lua_State* lua) {
  return luaL_error(lua, "'%s' cannot be changed by a script", lua_tostring(lua, lua_upvalueindex(1)));
}

int refuse_require(lua_State* lua) {
  return luaL_error(lua, "'require' is for the files of scripts and for specs, with the name written out");
}

int refuse_global(lua_State* lua) {
  const char* name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "x";
  return luaL_error(lua, "a script cannot write the global '%s'; write 'local %s = ...'", name, name);
}

bool is_withheld(const char* name) {
  const auto is_it = [name](const char* other) { return std::strcmp(name, other) == 0; };
  return std::any_of(withheld_names.begin(), withheld_names.end(), is_it);
}

// A name that means nothing: most often a text without its quotes, or a slip. nil in its place would make a rule
// vanish.
int refuse_unknown(lua_State* lua) {
  const char* name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "x";
  return luaL_error(lua, is_withheld(name) ? withheld_form : unknown_form, name);
}

// Methods of texts: ("x"):upper(). Takes the table of string functions from the top of the stack.
void lock_string_metatable(lua_State* lua) {
  lua_pushliteral(lua, "");
  lua_newtable(lua);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushliteral(lua, "string");
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_pop(lua, 2);
}

// call.Priority.Name: a lookup is the key of a record.
int refuse_index(lua_State* lua) {
  const char* name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "x";
  return luaL_error(lua, "a number has no '%s'; a lookup is the key of its record: desk.find(\"entity\", key).%s", name,
                    name);
}

void lock_number_metatable(lua_State* lua) {
  lua_pushnumber(lua, 0);
  lua_newtable(lua);
  lua_pushcfunction(lua, refuse_index);
  lua_setfield(lua, -2, "__index");
  lua_pushliteral(lua, "number");
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_pop(lua, 1);
}

void add_string(lua_State* lua) {
  lua_getglobal(lua, LUA_STRLIBNAME);
  lua_newtable(lua);
  copy(lua, -2, string_names);
  copy(lua, -2, guarded_string_names, guarded);
  bind_string(lua);
  lua_pushvalue(lua, -1);
  lock_string_metatable(lua);
  add_frozen(lua, "string");
  lua_pop(lua, 1);
}

void add_table(lua_State* lua) {
  lua_getglobal(lua, LUA_TABLIBNAME);
  lua_newtable(lua);
  copy(lua, -2, guarded_table_names, guarded);
  bind_table(lua);
  add_frozen(lua, "table");
  lua_pop(lua, 1);
}

void add_library(lua_State* lua, const char* name, Names names, Names others = {}, lua_CFunction around = nullptr) {
  lua_getglobal(lua, name);
  lua_newtable(lua);
  copy(lua, -2, names);
  copy(lua, -2, others, around);
  add_frozen(lua, name);
  lua_pop(lua, 1);
}

void add_host(lua_State* lua, const char* name, void (*bind)(lua_State*)) {
  lua_newtable(lua);
  bind(lua);
  add_frozen(lua, name);
}

// What chunks see by `name`, or nil.
void push_named(lua_State* lua, const char* name) {
  push_registered(lua, globals_key);
  lua_pushstring(lua, name);
  lua_rawget(lua, -2);
  lua_remove(lua, -2);
}

// Chunks run in an empty table that reads through to the globals: nothing they do can reach those themselves.
void make_environment(lua_State* lua) {
  lua_newtable(lua);
  lua_newtable(lua);
  push_registered(lua, globals_key);
  lua_setfield(lua, -2, "__index");
  lua_pushcfunction(lua, refuse_global);
  lua_setfield(lua, -2, "__newindex");
  lua_setmetatable(lua, -2);
  keep_registered(lua, environment_key);
}

}  // namespace

void open_sandbox(lua_State* lua) {
  load_library(lua, "", luaopen_base);
  load_library(lua, LUA_STRLIBNAME, luaopen_string);
  load_library(lua, LUA_TABLIBNAME, luaopen_table);
  load_library(lua, LUA_MATHLIBNAME, luaopen_math);
  load_library(lua, LUA_BITLIBNAME, luaopen_bit);
  register_exact(lua);

  lua_newtable(lua);
  copy(lua, LUA_GLOBALSINDEX, base_names);
  bind_base(lua);
  lua_pushcfunction(lua, refuse_require);
  lua_setfield(lua, -2, "require");
  lua_newtable(lua);
  lua_pushcfunction(lua, refuse_unknown);
  lua_setfield(lua, -2, "__index");
  lua_setmetatable(lua, -2);
  lua_pushvalue(lua, -1);
  keep_registered(lua, globals_key);
  freeze(lua, "_G");
  add_global(lua, "_G");

  lock_number_metatable(lua);
  add_string(lua);
  add_table(lua);
  add_library(lua, "math", math_names, varying_math_names, varying);
  add_library(lua, "bit", bit_names);
  add_host(lua, "datetime", bind_datetime);
  add_host(lua, "guid", bind_guid);
  add_host(lua, "json", bind_json);
  add_host(lua, "log", bind_log);
  add_host(lua, "text", bind_text);
  make_environment(lua);
}

void freeze(lua_State* lua, const char* name) {
  lua_newuserdata(lua, 0);
  lua_newtable(lua);
  lua_pushvalue(lua, -3);
  lua_setfield(lua, -2, "__index");
  lua_pushstring(lua, name);
  lua_pushcclosure(lua, refuse_write, 1);
  lua_setfield(lua, -2, "__newindex");
  lua_pushstring(lua, name);
  lua_setfield(lua, -2, "__metatable");
  lua_setmetatable(lua, -2);
  lua_remove(lua, -2);
}

void add_global(lua_State* lua, const char* name) {
  push_registered(lua, globals_key);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, name);
  lua_pop(lua, 1);
}

void add_frozen(lua_State* lua, const char* name) {
  freeze(lua, name);
  add_global(lua, name);
}

std::string unknown_word(lua_State* lua, const char* name) {
  push_named(lua, name);
  const bool is_known = !lua_isnil(lua, -1);
  lua_pop(lua, 1);
  if (is_known) return {};
  lua_pushfstring(lua, is_withheld(name) ? withheld_form : unknown_form, name);
  std::string message = lua_tostring(lua, -1);
  lua_pop(lua, 1);
  return message;
}

bool push_library(lua_State* lua, const char* name) {
  push_named(lua, name);
  if (lua_isuserdata(lua, -1)) return true;
  lua_pop(lua, 1);
  return false;
}

std::vector<std::string> members_of(lua_State* lua, const char* library) {
  std::vector<std::string> names;
  if (!push_library(lua, library)) return names;
  const int bottom = lua_gettop(lua);
  if (luaL_getmetafield(lua, -1, "__index") != 0 && lua_istable(lua, -1))  // that freeze() hid; null has none
    for (lua_pushnil(lua); lua_next(lua, -2); lua_pop(lua, 1))
      if (lua_type(lua, -2) == LUA_TSTRING) names.emplace_back(lua_tostring(lua, -2));
  lua_settop(lua, bottom - 1);
  return names;
}

namespace {

void load_chunk(lua_State* lua, std::string_view text, const char* name) {
  const int status = [&] {  // lua_error must not pass by the name
    const std::string short_name = LuaState::of(lua).chunks().add(name);
    return luaL_loadbufferx(lua, text.data(), text.size(), short_name.c_str(), "t");  // "t": bytecode is refused
  }();
  if (status != 0) lua_error(lua);
}

}  // namespace

void run_chunk(lua_State* lua, std::string_view text, const char* name, int arguments, int results) {
  load_chunk(lua, text, name);
  push_registered(lua, environment_key);
  lua_setfenv(lua, -2);
  lua_insert(lua, -1 - arguments);
  lua_call(lua, arguments, results);
}

// An environment of its own beside that of all chunks, with one name more.
void run_chunk_with(lua_State* lua, std::string_view text, const char* name, const char* word, int arguments,
                    int results) {
  const int own = lua_gettop(lua);
  load_chunk(lua, text, name);
  lua_newtable(lua);
  lua_pushvalue(lua, own);
  lua_setfield(lua, -2, word);
  push_registered(lua, environment_key);
  lua_getmetatable(lua, -1);
  lua_setmetatable(lua, -3);
  lua_pop(lua, 1);
  lua_setfenv(lua, -2);
  lua_remove(lua, own);
  lua_insert(lua, -1 - arguments);
  lua_call(lua, arguments, results);
}

}  // namespace callisto::script
