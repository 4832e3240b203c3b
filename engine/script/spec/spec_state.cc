#include "engine/script/spec_state.h"

#include "engine/script/library/lua_state.h"
#include "engine/script/library/modules.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/load/fields.h"
#include "engine/script/spec/spec_words.h"

#include <string_view>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::size_t bytes_in_mib = 1024 * 1024;
const char words_key = 0;  // registry key of what spec.lua returns

SpecFailure described(const Failure& failure, const std::string& file, const ChunkNames& chunks) {
  // What Lua puts before the message of the deadline is the caller of the function that ran too long.
  const bool is_time = failure.kind == Failure::Kind::Time;
  SpecFailure spec;
  spec.place = {file, line_in(is_time ? std::string_view() : failure.message, failure.traceback, file)};
  const auto placed = chunks.split(failure.message);
  spec.message = placed ? placed->text : failure.message;
  return spec;
}

void push_words(lua_State* lua, const char* field) {
  lua_pushlightuserdata(lua, const_cast<char*>(&words_key));
  lua_rawget(lua, LUA_REGISTRYINDEX);
  lua_getfield(lua, -1, field);
  lua_remove(lua, -2);
}

Place read_place(const Fields& fields) { return {fields.text("file"), fields.whole("line").value_or(0)}; }

}  // namespace

class SpecState::Lua {
 public:
  Lua(const Budget& budget, const Clock& clock)
      : state_(clock, static_cast<std::size_t>(budget.memory_mib) * bytes_in_mib) {}

  std::optional<Failure> load(const Source& source, const Libraries& libraries, const Natives& natives, int time_ms,
                              const std::vector<Source>& modules) {
    return state_.run(time_ms, [&](lua_State* lua) {
      open_sandbox(lua);
      add_libraries(lua, libraries);
      for (std::size_t number = 0; number < modules.size(); ++number) add_module(lua, modules[number], number);
      open_words(lua, natives);
      run_source(lua, source, ("@" + source.file).c_str());
      lua_pop(lua, 1);
    });
  }

  SpecFailure described(const Failure& failure, const std::string& file) {
    return script::described(failure, file, state_.chunks());
  }

  std::optional<Failure> list(std::vector<Spec>& specs, int time_ms) {
    return state_.run(time_ms, [&](lua_State* lua) {
      push_words(lua, "specs");
      const int count = static_cast<int>(lua_objlen(lua, -1));
      for (int i = 1; i <= count; ++i) {
        lua_rawgeti(lua, -1, i);
        specs.push_back({Fields(lua).text("sentence"), read_place(Fields(lua))});
        lua_pop(lua, 1);
      }
    });
  }

  std::optional<Failure> run(std::size_t number, int time_ms, std::optional<SpecFailure>& told) {
    return state_.run(time_ms, [&](lua_State* lua) {
      push_words(lua, "run");
      lua_pushinteger(lua, static_cast<lua_Integer>(number) + 1);
      lua_call(lua, 1, 1);
      if (lua_isnil(lua, -1)) return;
      const Fields fields(lua);
      told = SpecFailure{read_place(fields), state_.chunks().restored(fields.text("message")), fields.text("expected"),
                         fields.text("actual")};
    });
  }

 private:
  static void open_words(lua_State* lua, const Natives& natives) {
    push_spec_host(lua, natives, {"spec_desk.lua", "spec_expect.lua", "spec_scenario.lua", "spec.lua"});
    lua_getfield(lua, -1, "spec.lua");
    lua_pushlightuserdata(lua, const_cast<char*>(&words_key));
    lua_pushvalue(lua, -2);
    lua_rawset(lua, LUA_REGISTRYINDEX);
    lua_getfield(lua, -1, "words");
    for (lua_pushnil(lua); lua_next(lua, -2);) {
      add_global(lua, lua_tostring(lua, -2));  // takes the value
    }
    lua_settop(lua, 0);
  }

  LuaState state_;
};

SpecState::SpecState(const Source& source, const Libraries& libraries, const Natives& natives, const Budget& budget,
                     const Clock& clock, const std::vector<Source>& modules)
    : source_(source),
      libraries_(libraries),
      natives_(natives),
      budget_(budget),
      clock_(clock),
      modules_(source.required.empty() ? std::vector<Source>() : modules) {}

SpecState::~SpecState() = default;

std::unique_ptr<SpecState> SpecState::load(const Source& source, const Libraries& libraries, const Natives& natives,
                                           const Budget& budget, const Clock& clock,
                                           std::optional<SpecFailure>& failure, const std::vector<Source>& modules) {
  std::unique_ptr<SpecState> self(new SpecState(source, libraries, natives, budget, clock, modules));
  failure = self->build();
  if (auto unlisted = self->lua_->list(self->specs_, budget.time_ms); unlisted && !failure)
    failure = self->lua_->described(*unlisted, source.file);
  return self;
}

std::optional<SpecFailure> SpecState::build() {
  lua_ = std::make_unique<Lua>(budget_, clock_);
  if (const auto failure = lua_->load(source_, libraries_, natives_, budget_.time_ms, modules_))
    return lua_->described(*failure, source_.file);
  return std::nullopt;
}

std::optional<SpecFailure> SpecState::run(std::size_t number) {
  if (!lua_)
    if (auto failure = build()) return failure;
  std::optional<SpecFailure> told;
  if (const auto failure = lua_->run(number, budget_.time_ms, told)) {
    auto spec = lua_->described(*failure, source_.file);
    lua_.reset();
    return spec;
  }
  return told;
}

}  // namespace callisto::script
