#include "engine/script/spec/spec_words.h"

#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/views/lua_data.h"

#include <string_view>

#include <lua.hpp>

#include "lua_texts.h"

namespace callisto::script {
namespace {

std::string_view text_of(std::string_view file) {
  for (const auto& [name, text] : embedded::lua_texts::files)
    if (name == file) return text;
  return {};
}

// native(...) -> true and its answer, or false and { status, kind, type, message, detail, problems }
int call_native(lua_State* lua) {
  const auto& native = *static_cast<const Native*>(lua_touserdata(lua, lua_upvalueindex(1)));
  LuaState::of(lua).check_time(lua);
  std::vector<Data> arguments;
  const int count = lua_gettop(lua);
  for (int i = 1; i <= count; ++i) arguments.push_back(to_data(lua, i));
  const auto answer = native.call(arguments);
  if (native.has_own_bound) LuaState::of(lua).begin_again();
  lua_pushboolean(lua, answer.has_value());
  if (answer) return push_data(lua, *answer), 2;
  const Error& error = answer.error();
  std::vector<Data> problems;
  for (const PropertyError& problem : error.errors) problems.emplace_back(problem.property + ": " + problem.message);
  push_data(lua, Data::map({{"status", Value(std::int64_t{error.status})},
                            {"kind", Value(std::string(name(error.sub_status)))},
                            {"type", Value(error.type)},
                            {"message", Value(error.message)},
                            {"detail", Value(error.log_detail)},
                            {"problems", Data::list(std::move(problems))}}));
  return 2;
}

// The file and line from which spec.lua was called: the nearest that is no part of the program.
int calling_place(lua_State* lua) {
  lua_Debug frame{};
  for (int level = 1; lua_getstack(lua, level, &frame) != 0; ++level)
    if (lua_getinfo(lua, "Sl", &frame) != 0 && frame.source[0] == '@' && frame.currentline > 0) {
      lua_pushstring(lua, LuaState::of(lua).chunks().file_of(frame.source + 1).c_str());
      lua_pushinteger(lua, frame.currentline);
      return 2;
    }
  return 0;
}

// split("file:12: what") -> file, 12, what; nothing where a message begins otherwise.
int split_message(lua_State* lua) {
  std::size_t size = 0;
  const char* message = luaL_checklstring(lua, 1, &size);
  const auto placed = LuaState::of(lua).chunks().split({message, size});
  if (!placed) return 0;
  lua_pushlstring(lua, placed->file.data(), placed->file.size());
  lua_pushinteger(lua, placed->line);
  lua_pushlstring(lua, placed->text.data(), placed->text.size());
  return 3;
}

}  // namespace

void push_spec_host(lua_State* lua, const Natives& natives, std::initializer_list<const char*> parts) {
  lua_newtable(lua);
  for (const auto& [name, native] : natives) {
    lua_pushlightuserdata(lua, const_cast<Native*>(&native));
    lua_pushcclosure(lua, call_native, 1);
    lua_setfield(lua, -2, name.c_str());
  }
  lua_pushcfunction(lua, calling_place);
  lua_setfield(lua, -2, "place");
  lua_pushcfunction(lua, split_message);
  lua_setfield(lua, -2, "split");
  for (const char* part : parts) {
    lua_pushvalue(lua, -1);
    run_chunk(lua, text_of(part), (std::string("=") + part).c_str(), 1);
    lua_setfield(lua, -2, part);
  }
}

}  // namespace callisto::script
