// State: one sandboxed lua_State with a Program's code (a slot owns one). Every call runs
// under a deadline and a memory limit; a failure is a 500 ScriptException whose log_detail has file, line and
// traceback, `reject` is a 400. ARCHITECTURE.md: compiler off, allow-listed frozen globals, text chunks only.
//
// Requires: one thread at a time. Invariants: no call leaves anything that a later one could read.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/json/read.h"
#include "engine/script/host.h"
#include "engine/script/program.h"
#include "engine/script/script_observer.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace callisto::script {

struct Budget {
  int time_ms = 50;
  int memory_mib = 32;
  int statements = 1000;  // of the database, by one call that writes
};

// What scripts may know of who asks: session.id, .user_id, .type, :may(right), and, asked for where a script asks,
// .person.<Property> and .<list> (SessionList). What is handed out lives as long as this. The thread of the call.
class SessionFacts {
 public:
  virtual ~SessionFacts() = default;

  std::int64_t id = 0;
  std::string type;                                          // "Analyst", "User"
  Value user_id;                                             // null: nobody (client_credentials)
  std::optional<std::vector<std::int64_t>> partitions = {};  // that it may see, ascending; nullopt: all

  using Person = std::vector<std::pair<std::string_view, Value>>;  // Public properties; their names outlive it
  using List = std::vector<Value>;
  virtual Result<const Person*> person() const;               // here none
  virtual Result<const List*> list(std::size_t) const;        // by place in Program::session_lists; here empty
  virtual bool may(std::string_view) const { return false; }  // whether its roles have that right
  Result<Value> of_person(std::string_view property) const;
};

// What scripts/sign-in.lua makes of a provider's claims.
struct SignInAnswer {
  NamedValues person;              // by name of the properties; null empties one
  std::vector<std::string> roles;  // of SignInRule::gives
};

// What the calls of one augmenter, action or hook took.
struct Spent {
  std::string what;  // "@Age"
  std::chrono::microseconds time{0};
};

// What an extension reads of so many records.
struct Rows {
  std::size_t count = 0;
  std::vector<Value> values;  // record after record those of augmenter.needs
};

// What an extension says of records. Texts come again and again, so each that a list holds is told once.
struct Answers {
  std::vector<Value> values;
  std::vector<std::uint32_t> places;  // in `values`, of each record
};

class State {
 public:
  // `watch` may be null; it outlives the State.
  static Result<std::unique_ptr<State>> create(std::shared_ptr<const Program> program, const Budget& budget,
                                               const Clock& clock, Random& random, ScriptObserver* watch = nullptr);
  virtual ~State() = default;

  // Token: no arguments. Function: arguments as the call wrote them. The value has the augmenter's type or is null.
  virtual Result<Value> call(const catalog::Augmenter& augmenter, const std::vector<Value>& arguments,
                             const SessionFacts& session) = 0;

  // Extension: one answer for each row. One entry into Lua a page.
  virtual Result<Answers> extend(const catalog::Augmenter& augmenter, const Rows& rows,
                                 const SessionFacts& session) = 0;

  // Whether what was called last asked neither for the time nor for a random number: it would answer the same again.
  virtual bool would_repeat() const = 0;

  // The scripts that write. Each may be called while another of this State runs (Host::act, Host::create); the time
  // limit is the outermost call's. `reject` is a 400, `forbid` a 403, an error of the Host itself. Action::script:
  // run(record, input, session). False: the script says that nothing happened (it returned false).
  virtual Result<bool> run(const catalog::Action& action, Host& host, Host::Handle record, const NamedValues& input,
                           const SessionFacts& session) = 0;
  // Addition::before or after: code(record, input, session), which answers nothing.
  virtual Result<void> run_addition(int script, const catalog::Action& action, Host& host, Host::Handle record,
                                    const NamedValues& input, const SessionFacts& session) = 0;
  // One of Hooks::before_... and after_...: hook(record, before, session).
  virtual Result<void> run_hook(int script, Host& host, Host::Handle record, const SessionFacts& session) = 0;
  // Hooks::history: the row's values by name of the history entity's properties; nothing: no row. The last is called,
  // and may call those before it by `earlier()`.
  virtual Result<std::optional<NamedValues>> history(const catalog::Hooks::Chain& scripts,
                                                     const catalog::Action& action, Host& host, Host::Handle record,
                                                     const NamedValues& input, const SessionFacts& session) = 0;

  // Between the two the time of outermost calls is kept, by augmenter, action or hook.
  virtual void begin_timing() = 0;
  virtual std::vector<Spent> end_timing() = 0;

  // Program::sign_in, which is there: run(claims). `reject` is a 400 and `forbid` a 403 with the text that the person
  // is told.
  virtual Result<SignInAnswer> sign_in(const json::Node& claims) = 0;
};

}  // namespace callisto::script
