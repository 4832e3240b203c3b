#include "engine/script/state.h"

#include "engine/script/dsl.h"
#include "engine/script/lua_state.h"
#include "engine/script/sandbox.h"
#include "engine/script/values.h"
#include "engine/script/views.h"

#include <optional>
#include <string_view>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr int build_time_ms = 2000;   // all files of a program together
constexpr std::size_t bytes_in_mib = 1024 * 1024;

std::string signature(const catalog::Augmenter& augmenter) {
  return "@" + augmenter.name + " (" + augmenter.origin.file + ':' + std::to_string(augmenter.origin.line) + ')';
}

std::string reference(Random& random) {
  constexpr char hex[] = "0123456789abcdef";
  std::string text;
  for (char byte : random.bytes(4)) {
    auto bits = static_cast<unsigned char>(byte);
    text += hex[bits >> 4];
    text += hex[bits & 15];
  }
  return text;
}

class ScriptState final : public State {
 public:
  ScriptState(std::shared_ptr<const Program> program, const Budget& budget, const Clock& clock, Random& random)
      : program_(std::move(program)), budget_(budget), clock_(clock), random_(random), call_(*program_) {}

  // A new lua_State with every file run in it. The files were checked when the program was loaded, so that a failure here
  // is one of time or memory.
  Result<void> build() {
    functions_.clear();
    lua_ = std::make_unique<LuaState>(clock_, static_cast<std::size_t>(budget_.memory_mib) * bytes_in_mib);
    std::string file = "lua/dsl.lua";
    auto failure = lua_->run(build_time_ms, [&](lua_State* lua) {
      open_sandbox(lua);
      register_views(lua, call_);
      open_dsl(lua, no_source);
      for (const Source& source : program_->sources) {
        file = source.file;
        add_code(lua, source);
      }
    });
    if (!failure) return {};
    lua_.reset();
    return script_failed(reference(random_), file + ": " + failure->message + '\n' + failure->traceback);
  }

  Result<Value> call(const catalog::Augmenter& augmenter, const std::vector<Value>& arguments,
                     const SessionFacts& session) override {
    Value result;
    CALLISTO_CHECK(run(augmenter, session, nullptr, "$filter", [&](lua_State* lua) {
      push_function(lua, augmenter);
      luaL_checkstack(lua, static_cast<int>(arguments.size()) + 1, "too many arguments");
      for (const Value& argument : arguments) push_value(lua, argument);
      push_session(lua, call_);
      lua_call(lua, static_cast<int>(arguments.size()) + 1, 1);
      result = take_result(lua, augmenter);
    }));
    return result;
  }

  Result<std::vector<Value>> extend(const catalog::Augmenter& augmenter, const std::vector<std::vector<Value>>& rows,
                                    const SessionFacts& session) override {
    std::vector<Value> results;
    if (rows.empty()) return results;
    results.reserve(rows.size());
    CALLISTO_CHECK(run(augmenter, session, &rows, "$select", [&](lua_State* lua) {
      push_function(lua, augmenter);
      push_session(lua, call_);
      if (augmenter.batch) extend_page(lua, augmenter, rows.size(), results);
      else extend_rows(lua, augmenter, rows.size(), results);
    }));
    return results;
  }

  Result<bool> run(const catalog::Action& action, Host&, Host::Handle, const NamedValues&, const SessionFacts&) override {
    return internal("the script of action " + action.name + " cannot run yet");
  }
  Result<void> run_hook(int, Host&, Host::Handle, const SessionFacts&) override { return internal("no hook can run yet"); }
  Result<std::optional<NamedValues>> history(int, const catalog::Action&, Host&, Host::Handle, const NamedValues&,
                                             const SessionFacts&) override {
    return internal("no hook can run yet");
  }

 private:
  static constexpr std::string_view no_source{};   // lines of definitions matter when loading only

  void add_code(lua_State* lua, const Source& source) {
    push_dsl(lua, "code");
    run_chunk(lua, source.text, ("@" + source.file).c_str());
    lua_call(lua, 1, 1);
    functions_.push_back(luaL_ref(lua, LUA_REGISTRYINDEX));
  }

  void push_function(lua_State* lua, const catalog::Augmenter& augmenter) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, functions_.at(static_cast<std::size_t>(augmenter.script)));
  }

  // values(records, session) -> one value for each record, by its place
  void extend_page(lua_State* lua, const catalog::Augmenter& augmenter, std::size_t count, std::vector<Value>& results) {
    lua_createtable(lua, static_cast<int>(count), 0);
    for (std::size_t row = 0; row < count; ++row) {
      push_record(lua, call_, row);
      lua_rawseti(lua, -2, static_cast<int>(row) + 1);
    }
    lua_insert(lua, -2);
    lua_call(lua, 2, 1);
    if (!lua_istable(lua, -1))
      luaL_error(lua, "'values' returned %s where a list of values is due", describe(lua, -1).c_str());
    for (std::size_t row = 0; row < count; ++row) {
      lua_rawgeti(lua, -1, static_cast<int>(row) + 1);
      results.push_back(take_result(lua, augmenter));
    }
  }

  // value(record, session) for each
  void extend_rows(lua_State* lua, const catalog::Augmenter& augmenter, std::size_t count, std::vector<Value>& results) {
    for (std::size_t row = 0; row < count; ++row) {
      lua_pushvalue(lua, -2);
      push_record(lua, call_, row);
      lua_pushvalue(lua, -3);
      lua_call(lua, 2, 1);
      results.push_back(take_result(lua, augmenter));
    }
  }

  // Takes the value on top of the stack, which must be what the augmenter says that it returns.
  static Value take_result(lua_State* lua, const catalog::Augmenter& augmenter) {
    auto value = to_value(lua, -1, augmenter.returns);
    if (!value)
      luaL_error(lua, "returned %s where its 'returns' promises %s", describe(lua, -1).c_str(), name(augmenter.returns));
    lua_pop(lua, 1);
    return *std::move(value);
  }

  Result<void> run(const catalog::Augmenter& augmenter, const SessionFacts& session,
                   const std::vector<std::vector<Value>>* rows, const char* option, const LuaState::Body& body) {
    if (!lua_) CALLISTO_CHECK(build());
    ++call_.number;
    call_.session = &session;
    call_.augmenter = &augmenter;
    call_.rows = rows;
    auto failure = lua_->run(budget_.time_ms, body);
    ++call_.number;
    if (!failure) return {};
    if (failure->kind == Failure::Kind::Reject)
      return bad_query(failure->message, Diagnostic{option, 0, '@' + augmenter.name, {}, {}});
    lua_.reset();   // whatever it was in the middle of, the next call finds a fresh one
    return script_failed(reference(random_), signature(augmenter) + ": " + failure->message + '\n' + failure->traceback);
  }

  std::shared_ptr<const Program> program_;
  Budget budget_;
  const Clock& clock_;
  Random& random_;
  CurrentCall call_;
  std::vector<int> functions_;   // registry references, by Augmenter::script
  std::unique_ptr<LuaState> lua_;
};

}  // namespace

Result<std::unique_ptr<State>> State::create(std::shared_ptr<const Program> program, const Budget& budget,
                                             const Clock& clock, Random& random) {
  auto state = std::make_unique<ScriptState>(std::move(program), budget, clock, random);
  CALLISTO_CHECK(state->build());
  return std::unique_ptr<State>(std::move(state));
}

}  // namespace callisto::script
