// LuaState: the one owner of a lua_State: its capped allocator, its deadline and the protected entry. One thread at a
// time. Everything that touches Lua runs inside run(); Lua errors unwind C++ frames (their destructors run) and end
// there as a Failure. After an Error, Time or Memory the state should be thrown away.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/error.h"
#include "engine/base/working_calendar.h"
#include "engine/script/code_lines.h"
#include "engine/script/library/chunk_names.h"
#include "engine/script/library/free_lists.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

struct lua_State;
struct lua_Debug;

namespace callisto::script {

struct Failure {
  enum class Kind { Error, Reject, Forbid, Host, Time, Memory };
  Kind kind = Kind::Error;
  std::string message;  // "file:12: attempt to ..."; the text of `reject` and `forbid`
  std::string traceback;
  std::optional<Error> error;  // Host: what a function of the host answered
};

class LuaState {
 public:
  LuaState(const Clock& clock, std::size_t memory_limit);
  ~LuaState();
  LuaState(const LuaState&) = delete;
  LuaState& operator=(const LuaState&) = delete;

  using Body = std::function<void(lua_State*)>;
  // `time_ms` of processor time, five times that by the clock. A C function called from Lua may come here again,
  // through the host: the outermost run has the deadline.
  std::optional<Failure> run(int time_ms, const Body& body);
  bool is_running() const { return depth_ > 0; }
  bool is_varying() const { return is_varying_; }  // the outermost run, now or the last one; see note_varying()

  // From now on each line that a function of a file runs is counted in there, which outlives this.
  void count_lines(LinesRun& lines);

  // For C functions called from Lua.
  static LuaState& of(lua_State* lua);
  const Clock& clock() const { return clock_; }
  ChunkNames& chunks() { return chunks_; }
  // Those that scripts may name, which outlive this; null: there is none of that name.
  void use_calendars(const std::map<std::string, WorkingCalendar, std::less<>>& calendars) { calendars_ = &calendars; }
  const WorkingCalendar* calendar(std::string_view name) const {
    if (!calendars_) return nullptr;
    const auto found = calendars_->find(name);
    return found == calendars_->end() ? nullptr : &found->second;
  }
  void note_varying() { is_varying_ = true; }     // it asks for what another run may not get: the time, a random number
  void check_time(lua_State* lua);                // raises once the deadline has passed, and ever after
  void spend(lua_State* lua, std::size_t steps);  // counts work done in C; looks at the clock every few thousand steps
  void begin_again() { begin_at(clock_.steady_ms()); }     // the deadline is as far away as at first
  void stop(lua_State* lua, const std::string& why);       // raises as past the deadline: no script goes on from here
  [[noreturn]] void end(lua_State* lua, Failure failure);  // raises what no script can catch: Reject, Forbid, Host
  // What of a line the log is to have; nothing beyond so many of one outermost run, and the last one says so.
  std::optional<std::string> admit_line(std::string line);
  bool must_end() const { return is_over_ || ending_; }  // a caught error is one that pcall has to raise again

  // One C function calling back into Lua: raises where they nest too deeply for the thread's own stack.
  class Nesting {
   public:
    explicit Nesting(lua_State* lua);
    ~Nesting() { --state_.nesting_; }
    Nesting(const Nesting&) = delete;
    Nesting& operator=(const Nesting&) = delete;

   private:
    LuaState& state_;
  };

 private:
  static void* allocate(void* self, void* block, std::size_t old_size, std::size_t new_size);
  static int prepare(lua_State* lua);
  std::optional<Failure> enter(const Body& body);
  void begin_at(std::int64_t steady_ms);
  bool put_off();
  Failure describe(lua_State* lua, int status);
  static bool is_passed_on(lua_State* lua);
  std::string text_of(lua_State* lua);
  void note_large(std::size_t bytes);
  void look_after(int instructions);
  void note_line(lua_State* lua, lua_Debug* at);
  void keep_traceback_from(lua_State* lua, int level);

  const Clock& clock_;
  const std::map<std::string, WorkingCalendar, std::less<>>* calendars_ = nullptr;
  std::size_t memory_limit_ = static_cast<std::size_t>(-1);
  std::size_t memory_used_ = 0;
  bool is_process_short_ = false;  // of memory, whatever this state may have
  FreeLists blocks_;
  ChunkNames chunks_;
  lua_State* lua_ = nullptr;
  int on_error_ = 0, call_body_ = 0;  // functions, in the registry
  const Body* body_ = nullptr;        // what is to run
  int time_ms_ = 0;
  std::int64_t began_ms_ = 0;
  std::int64_t deadline_ = 0;
  std::optional<std::int64_t> processor_began_ms_;  // since the first look at the clock
  bool is_varying_ = false;
  bool is_over_ = false;
  std::string over_;  // why, then
  std::size_t steps_ = 0;
  std::size_t lines_ = 0;  // of the log
  LinesRun* lines_run_ = nullptr;
  int nesting_ = 0;
  int depth_ = 0;                  // runs inside of each other
  std::optional<Failure> ending_;  // set while what no script can catch unwinds
  std::string traceback_;

  friend int keep_traceback(lua_State* lua);
  friend void on_hook(lua_State* lua, lua_Debug* at);
};

}  // namespace callisto::script
