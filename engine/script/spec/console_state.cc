#include "engine/script/console_state.h"

#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/spec/spec_words.h"

#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::size_t bytes_in_mib = 1024 * 1024;
constexpr std::string_view at_the_end = "'<eof>'";
const char words_key = 0;  // registry key of what console.lua returns

void push_words(lua_State* lua, const char* field) {
  lua_pushlightuserdata(lua, const_cast<char*>(&words_key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  lua_getfield(lua, -1, field);
  lua_remove(lua, -2);
}

bool compiles(lua_State* lua, const std::string& text) {
  return luaL_loadbufferx(lua, text.data(), text.size(), "=console", "t") == 0;
}

bool wants_more(lua_State* lua) {
  std::size_t size = 0;
  const char* message = lua_tolstring(lua, -1, &size);
  return std::string_view(message, size).ends_with(at_the_end);
}

// An expression counts as well as a statement. Done: its function is on the stack; else the message of the statement
// is.
ConsoleAnswer::Kind compile(lua_State* lua, const std::string& piece) {
  using Kind = ConsoleAnswer::Kind;
  if (compiles(lua, "return " + piece)) return Kind::Done;
  const bool is_begun = wants_more(lua);
  lua_pop(lua, 1);
  if (compiles(lua, piece)) return Kind::Done;
  return is_begun || wants_more(lua) ? Kind::Incomplete : Kind::Failed;
}

}  // namespace

class ConsoleState::Lua {
 public:
  Lua(const Budget& budget, const Clock& clock)
      : time_ms_(budget.time_ms), state_(clock, static_cast<std::size_t>(budget.memory_mib) * bytes_in_mib) {}

  std::optional<Failure> open(const Libraries& libraries, const Natives& natives, const std::string& login) {
    return state_.run(time_ms_, [&](lua_State* lua) {
      open_sandbox(lua);
      add_libraries(lua, libraries);
      push_spec_host(lua, natives, {"spec_desk.lua", "console.lua"});
      lua_getfield(lua, -1, "console.lua");
      lua_pushlightuserdata(lua, const_cast<char*>(&words_key));
      lua_pushvalue(lua, -2);
      lua_rawset(lua, LUA_REGISTRYINDEX);
      push_words(lua, "open");
      lua_pushlstring(lua, login.data(), login.size());
      lua_call(lua, 1, 0);
    });
  }

  std::optional<Failure> evaluate(const std::string& piece, ConsoleAnswer& answer) {
    return state_.run(time_ms_, [&](lua_State* lua) {
      push_words(lua, "run");
      answer.kind = compile(lua, piece);
      if (answer.kind != ConsoleAnswer::Kind::Done) {
        answer.text = lua_tostring(lua, -1);
        return;
      }
      push_words(lua, "environment");
      lua_setfenv(lua, -2);
      lua_call(lua, 1, 2);  // -> whether it went well, a text
      answer.kind = lua_toboolean(lua, -2) ? ConsoleAnswer::Kind::Done : ConsoleAnswer::Kind::Failed;
      std::size_t size = 0;
      if (const char* text = lua_tolstring(lua, -1, &size)) answer.text.assign(text, size);
    });
  }

 private:
  int time_ms_;
  LuaState state_;
};

ConsoleState::ConsoleState(const Budget& budget, const Clock& clock) : lua_(std::make_unique<Lua>(budget, clock)) {}

ConsoleState::~ConsoleState() = default;

Result<std::unique_ptr<ConsoleState>> ConsoleState::create(const Libraries& libraries, const Natives& natives,
                                                           const std::string& login, const Budget& budget,
                                                           const Clock& clock) {
  std::unique_ptr<ConsoleState> self(new ConsoleState(budget, clock));
  if (const auto failure = self->lua_->open(libraries, natives, login)) return bad_format(failure->message);
  return self;
}

ConsoleAnswer ConsoleState::evaluate(const std::string& piece) {
  ConsoleAnswer answer;
  if (const auto failure = lua_->evaluate(piece, answer)) return {ConsoleAnswer::Kind::Failed, failure->message};
  return answer;
}

}  // namespace callisto::script
