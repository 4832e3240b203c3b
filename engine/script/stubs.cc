#include "engine/script/stubs.h"

#include "engine/script/library/dsl.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"

#include <lua.hpp>

namespace callisto::script {

namespace {

constexpr int time_ms = 10'000;  // of our own text, on a machine that does much else
constexpr std::size_t memory_bytes = std::size_t{64} * 1024 * 1024;

}  // namespace

Result<std::string> word_stubs() {
  const SystemClock clock;
  LuaState state(clock, memory_bytes);
  std::string words;
  const auto failure = state.run(time_ms, [&](lua_State* lua) {
    open_sandbox(lua);
    run_chunk(lua, program_text("schema.lua"), "@schema.lua");
    run_chunk(lua, program_text("stubs.lua"), "@stubs.lua", 1);
    std::size_t size = 0;
    const char* text = lua_tolstring(lua, -1, &size);
    words.assign(text, size);
    lua_pop(lua, 1);
  });
  if (failure) return internal("stubs.lua: " + failure->message);
  return std::string(program_text("library.d.lua")) + "\n" + words;
}

}  // namespace callisto::script
