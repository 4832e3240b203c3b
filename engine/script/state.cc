#include "engine/script/state.h"

#include "engine/base/text.h"
#include "engine/script/library.h"
#include "engine/script/library/dsl.h"
#include "engine/script/library/guard.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/modules.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/run/caller.h"
#include "engine/script/run/current_call.h"
#include "engine/script/run/extension.h"
#include "engine/script/run/finder.h"
#include "engine/script/run/history.h"
#include "engine/script/run/sign_in_call.h"
#include "engine/script/views/named_values.h"
#include "engine/script/views/record_views.h"
#include "engine/script/views/take_answer.h"
#include "engine/script/views/values.h"
#include "engine/script/views/views.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr int build_time_ms = 2000;  // all files of a program together
constexpr std::size_t bytes_in_mib = 1024 * 1024;

class ScriptState final : public State {
 public:
  ScriptState(std::shared_ptr<const Program> program, const Budget& budget, const Clock& clock, Random& random,
              ScriptObserver* watch)
      : program_(std::move(program)),
        libraries_(libraries_of(*program_)),
        budget_(budget),
        clock_(clock),
        random_(random),
        watch_(watch) {}

  // A new lua_State with every file run in it. The files were checked when the program was loaded, so that a failure
  // here is one of time or memory.
  Result<void> build() {
    functions_.clear();
    library_guard_ = {};
    guards_.assign(program_->sources.size(), {});
    lua_ = std::make_unique<LuaState>(clock_, static_cast<std::size_t>(budget_.memory_mib) * bytes_in_mib);
    lua_->use_calendars(program_->calendars);
    std::string file = "lua/dsl.lua";
    auto failure = lua_->run(build_time_ms, [&](lua_State* lua) {
      handle_ = lua;
      open_sandbox(lua);
      register_views(lua, call_);
      register_record_views(lua, call_);
      add_desk(lua, call_);
      add_earlier(lua, call_);
      for (const Source& library : libraries_) {
        file = library.file;
        add_library(lua, library);
        push_members(lua, library_name(library));
        library_guard_.watch(lua, library_name(library));
      }
      for (std::size_t number = 0; number < program_->modules.size(); ++number) {
        file = program_->modules[number].file;
        add_module(lua, program_->modules[number], number);
        push_module_members(lua, number);
        library_guard_.watch(lua, file.substr(file.rfind("lib/")));
      }
      open_dsl(lua, no_source);
      for (std::size_t source = 0; source < program_->sources.size(); ++source) {
        file = program_->sources[source].file;
        add_code(lua, source);
      }
    });
    if (LinesRun* const lines = watch_ ? watch_->lines_run() : nullptr) lua_->count_lines(*lines);
    if (!failure) return {};
    lua_.reset();
    return fail({"loading", "", "", file, 0, -1}, *failure, {});
  }

  void begin_timing() override { spent_.emplace(); }
  std::vector<Spent> end_timing() override {
    return std::exchange(spent_, std::nullopt).value_or(std::vector<Spent>());
  }

  Result<Value> call(const catalog::Augmenter& augmenter, const std::vector<Value>& arguments,
                     const SessionFacts& session) override {
    Value result;
    CALLISTO_CHECK(enter(caller_of(augmenter, "$filter"), reading(augmenter, session, nullptr), [&](lua_State* lua) {
      push_function(lua, augmenter.script);
      luaL_checkstack(lua, static_cast<int>(arguments.size()) + 2, "too many arguments");
      const auto call_last = [&](int with) {
        for (const Value& argument : arguments) push_value(lua, argument);
        push_session(lua, call_);
        lua_call(lua, static_cast<int>(arguments.size()) + 1 + with, 1);
      };
      call_last(0);
      for (const int script : augmenter.after) {
        push_function(lua, script);
        lua_insert(lua, -2);
        call_last(1);
      }
      result = take_result(lua, augmenter);
    }));
    return result;
  }

  Result<Answers> extend(const catalog::Augmenter& augmenter, const Rows& rows, const SessionFacts& session) override {
    Answers answers;
    if (rows.count == 0) return answers;
    answers.places.reserve(rows.count);
    CALLISTO_CHECK(enter(caller_of(augmenter, "$select"), reading(augmenter, session, &rows), [&](lua_State* lua) {
      push_function(lua, augmenter.script);
      for (const int script : augmenter.after) push_function(lua, script);
      extend_page(lua, call_, answers);
    }));
    return answers;
  }

  bool would_repeat() const override { return lua_ && !lua_->is_varying(); }

  Result<bool> run(const catalog::Action& action, Host& host, Host::Handle record, const NamedValues& input,
                   const SessionFacts& session) override {
    if (action.script < 0) return true;
    bool result = true;
    CALLISTO_CHECK(enter(caller_of(action), writing(host, session, record, &action, &input), [&](lua_State* lua) {
      push_function(lua, action.script);
      push_live(lua, call_, record);
      push_input(lua, call_, record);
      push_session(lua, call_);
      lua_call(lua, 3, 1);
      result = !lua_isboolean(lua, -1) || lua_toboolean(lua, -1) != 0;
      if (result) take_answer(lua, action, host, record);
    }));
    return result;
  }

  Result<void> run_hook(int script, Host& host, Host::Handle record, const SessionFacts& session) override {
    if (script < 0) return {};
    return enter(caller_of_hook(script), writing(host, session, record, nullptr, nullptr), [&](lua_State* lua) {
      push_function(lua, script);
      push_live(lua, call_, record);
      push_before(lua, call_, record);
      push_session(lua, call_);
      lua_call(lua, 3, 0);
    });
  }

  Result<void> run_addition(int script, const catalog::Action& action, Host& host, Host::Handle record,
                            const NamedValues& input, const SessionFacts& session) override {
    if (script < 0) return {};
    const Caller caller = caller_of_addition(script, action);
    return enter(caller, writing(host, session, record, &action, &input), [&](lua_State* lua) {
      push_function(lua, script);
      push_live(lua, call_, record);
      push_input(lua, call_, record);
      push_session(lua, call_);
      lua_call(lua, 3, 1);
      if (!lua_isnil(lua, -1))
        luaL_error(lua, "'%s' returned %s; what adds to an action returns nothing, and refuses by reject \"text\"",
                   program_->functions[static_cast<std::size_t>(script)].option.c_str(), luaL_typename(lua, -1));
    });
  }

  Result<std::optional<NamedValues>> history(const catalog::Hooks::Chain& scripts, const catalog::Action& action,
                                             Host& host, Host::Handle record, const NamedValues& input,
                                             const SessionFacts& session) override {
    std::optional<NamedValues> row;
    if (scripts.empty()) return row;
    CurrentCall call = writing(host, session, record, &action, &input);
    call.may_write = false;
    HistoryChain chain{scripts, functions_};
    call.history = &chain;
    Caller caller = caller_of_hook(scripts.back());
    caller.more = &scripts;
    CALLISTO_CHECK(enter(caller, call, [&](lua_State* lua) {
      call_history(lua, call_);
      if (!lua_isnil(lua, -1)) row = read_row(lua, lua_gettop(lua));
    }));
    return row;
  }

  Result<SignInAnswer> sign_in(const json::Node& claims) override {
    SignInAnswer answer;
    const SignInRule& rule = *program_->sign_in;
    const Caller caller{"rule '", "sign-in", "'", rule.origin.file, rule.origin.line, rule.script};
    CALLISTO_CHECK(enter(caller, CurrentCall(), [&](lua_State* lua) {
      push_function(lua, rule.script);
      push_claims(lua, rule, claims);
      lua_call(lua, 1, 2);
      answer = read_sign_in_answer(lua, *program_);
    }));
    return answer;
  }

 private:
  static constexpr std::string_view no_source{};  // lines of definitions matter when loading only

  // Runs a file and keeps the functions of the definition that it returns.
  void add_code(lua_State* lua, std::size_t source) {
    const Source& file = program_->sources[source];
    const bool has_functions =
        functions_.size() < program_->functions.size() && program_->functions[functions_.size()].source == source;
    if (!has_functions) return;  // a library
    run_source(lua, file, ("@" + file.file).c_str());
    while (functions_.size() < program_->functions.size()) {
      const Function& function = program_->functions[functions_.size()];
      if (function.source != source) break;
      push_dsl(lua, "code");
      lua_pushvalue(lua, -2);
      lua_pushstring(lua, function.option.c_str());
      lua_call(lua, 2, 1);
      lua_pushvalue(lua, -1);
      functions_.push_back(luaL_ref(lua, LUA_REGISTRYINDEX));
      guards_[source].watch(lua, function.option);
    }
    lua_pop(lua, 1);
  }

  void push_function(lua_State* lua, int script) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, functions_.at(static_cast<std::size_t>(script)));
  }

  Caller caller_of_hook(int script) const {
    const Function& function = program_->functions.at(static_cast<std::size_t>(script));
    return {"hook '", function.option, "'", program_->sources.at(function.source).file, 0, script};
  }

  // Says which file it is, since several may add to one action.
  Caller caller_of_addition(int script, const catalog::Action& action) const {
    const Function& function = program_->functions.at(static_cast<std::size_t>(script));
    const char* before = function.option == "before" ? "what runs before action '" : "what runs after action '";
    return {before, action.name, "'", program_->sources.at(function.source).file, 0, script};
  }

  CurrentCall reading(const catalog::Augmenter& augmenter, const SessionFacts& session, const Rows* rows) const {
    CurrentCall call;
    call.session = &session;
    call.augmenter = &augmenter;
    call.rows = rows;
    return call;
  }

  CurrentCall writing(Host& host, const SessionFacts& session, Host::Handle record, const catalog::Action* action,
                      const NamedValues* input) const {
    CurrentCall call;
    call.session = &session;
    call.host = &host;
    call.record = record;
    call.most_statements = host.statements() + static_cast<std::size_t>(budget_.statements);
    call.action = action;
    call.input = input;
    call.may_write = true;
    return call;
  }

  // The one way into Lua. The host may come here again while a script waits for it: the script's own call is back when
  // that one is over. What fails inside ends the outermost call, whether the host passes the error on or not.
  Result<void> enter(const Caller& caller, CurrentCall call, const LuaState::Body& body) {
    bool is_outermost = !lua_ || !lua_->is_running();
    if (is_outermost) inner_error_.reset();
    if (!lua_) CALLISTO_CHECK(build());
    call.program = program_.get();
    call.number = ++calls_;
    if (call.rows) call.first_record = take_numbers(call.rows->count);
    call.inner_error = &inner_error_;
    if (!is_outermost) call.most_statements = std::min(call.most_statements, most_statements_);
    else most_statements_ = call.most_statements;
    std::swap(call_, call);
    const auto begun = std::chrono::steady_clock::now();
    auto failure = lua_->run(budget_.time_ms, body);
    note_time(caller, begun, is_outermost);
    if (auto kept = kept_by(caller)) {
      is_spoilt_ = true;
      if (!failure) failure = Failure{Failure::Kind::Error, std::move(*kept), {}, {}};
    }
    std::swap(call_, call);
    Result<void> result;
    if (failure) result = error_of(*failure, caller, call);
    if (is_outermost && std::exchange(is_spoilt_, false)) lua_.reset();  // the next call finds a fresh one
    bool is_refused_word = failure && failure->kind == Failure::Kind::Reject && caller.in_query;
    if (!is_outermost && failure && !is_refused_word) inner_error_ = result.error();
    return result;
  }

  // Nothing: the call left the libraries, and the locals outside of its functions, as they were.
  std::optional<std::string> kept_by(const Caller& caller) const {
    if (caller.script < 0) return std::nullopt;
    if (const auto name = library_guard_.changed(handle_))
      return "'" + *name + "' of a library was changed: all calls share it, whoever they are for";
    auto name = local_changed_by(caller.script);
    if (caller.more)
      for (const int script : *caller.more)
        if (!name) name = local_changed_by(script);
    if (!name) return std::nullopt;
    return "'" + *name +
           "' stands outside of the function and was changed: all calls share it, whoever they are for. "
           "Make it a local of the function, or keep it in a property of a record";
  }

  std::optional<std::string> local_changed_by(int script) const {
    return guards_[program_->functions.at(static_cast<std::size_t>(script)).source].changed(handle_);
  }

  std::uint64_t take_numbers(std::size_t count) {
    constexpr std::uint64_t most = std::uint64_t{1} << 39;  // LuaJIT keeps light userdata of more bits in 256 groups
    if (next_record_ + count > most) next_record_ = 1;
    return std::exchange(next_record_, next_record_ + count);
  }

  void note_time(const Caller& caller, std::chrono::steady_clock::time_point begun, bool is_outermost) {
    if (!watch_ && !spent_) return;
    const auto now = std::chrono::steady_clock::now();
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(now - begun);
    if (watch_ && caller.script >= 0) {
      const Function& function = program_->functions.at(static_cast<std::size_t>(caller.script));
      watch_->ran(program_->sources.at(function.source).file, function.option, time);
    }
    if (!spent_ || !is_outermost) return;
    const std::string what = caller.what();
    auto found = std::find_if(spent_->begin(), spent_->end(), [&](const Spent& each) { return each.what == what; });
    if (found == spent_->end()) found = spent_->insert(spent_->end(), {what, {}});
    found->time += time;
  }

  Error error_of(Failure& failure, const Caller& caller, const CurrentCall& call) {
    switch (failure.kind) {
      case Failure::Kind::Host:
        return *std::move(failure.error);
      case Failure::Kind::Reject:
        return caller.in_query ? bad_query(failure.message, caller.diagnostic())
                               : validation_failed(failure.message, {});
      case Failure::Kind::Forbid:
        if (!caller.in_query) return forbidden(failure.message);
        failure.message = "'forbid' is for actions and hooks";
        break;
      default:
        break;
    }
    is_spoilt_ = true;  // whatever it was in the middle of
    if (inner_error_) return *inner_error_;
    return fail(caller, failure, call);
  }

  Error fail(const Caller& caller, const Failure& failure, const CurrentCall& call) {
    const ScriptFailure told = failure_of(caller, failure, call, random_);
    if (watch_) watch_->failed(told);
    return script_failed(told.reference, caller.name() + ": " + failure.message + '\n' + failure.traceback);
  }

  std::shared_ptr<const Program> program_;
  const Libraries libraries_;
  Budget budget_;
  const Clock& clock_;
  Random& random_;
  ScriptObserver* const watch_;
  std::optional<std::vector<Spent>> spent_;  // while it is timed
  std::size_t most_statements_ = 0;          // of the outermost call
  CurrentCall call_;
  std::uint64_t calls_ = 0;
  std::uint64_t next_record_ = 1;
  std::optional<Error> inner_error_;  // of a call inside of the outermost one
  bool is_spoilt_ = false;
  std::vector<int> functions_;  // registry references, by number in Program::functions
  Guard library_guard_;
  std::vector<Guard> guards_;    // of what the functions of each source share, by its number
  lua_State* handle_ = nullptr;  // lua_'s
  std::unique_ptr<LuaState> lua_;
};

}  // namespace

Result<std::unique_ptr<State>> State::create(std::shared_ptr<const Program> program, const Budget& budget,
                                             const Clock& clock, Random& random, ScriptObserver* watch) {
  auto state = std::make_unique<ScriptState>(std::move(program), budget, clock, random, watch);
  CALLISTO_CHECK(state->build());
  return std::unique_ptr<State>(std::move(state));
}

}  // namespace callisto::script
