#include "engine/script/library/lua_state.h"

#include "engine/base/process_limits.h"

#include <algorithm>
#include <ctime>
#include <exception>
#include <new>
#include <string_view>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

// ARCHITECTURE.md. A smaller number than measured there, since a few library functions may each work for a while in C.
constexpr int instructions_between_checks = 250;
constexpr std::size_t steps_between_checks = 4096;
constexpr std::size_t large_block = 16 * 1024;
constexpr int busy_machine = 5;  // so many times its limit a script may take where others have the processor meanwhile
constexpr int deepest_nesting = 100;
constexpr int deepest_run = 16;       // each has frames of Lua, the host and its database on the thread's own stack
constexpr int collector_pause = 150;  // collect early: an allocation that fails does not collect first

// No script is at fault.
Failure out_of_memory() { return {Failure::Kind::Error, process_limits::words_of(std::bad_alloc()), {}, {}}; }

std::int64_t processor_ms() {  // of this thread
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
}

}  // namespace

void on_hook(lua_State* lua, lua_Debug* at) {
  LuaState& state = LuaState::of(lua);
  if (at->event == LUA_HOOKLINE) return state.note_line(lua, at);
  state.check_time(lua);
  if (lua_gethookcount(lua) == instructions_between_checks) return;
  state.spend(lua, 0);  // the work that called for this look is counted
  state.look_after(instructions_between_checks);
}

void LuaState::look_after(int instructions) {
  lua_sethook(lua_, on_hook, LUA_MASKCOUNT | (lines_run_ ? LUA_MASKLINE : 0), instructions);
}

void LuaState::count_lines(LinesRun& lines) {
  lines_run_ = &lines;
  look_after(instructions_between_checks);
}

// Of a file, and not of the definition around its functions.
void LuaState::note_line(lua_State* lua, lua_Debug* at) {
  if (lua_getinfo(lua, "Sl", at) == 0 || at->source[0] != '@' || *at->what == 'm') return;
  ++(*lines_run_)[chunks_.file_of(at->short_src)][at->currentline];
}

// Runs at the place of the error, before the stack unwinds. That of the deadline stays: a pcall may pass it on.
int keep_traceback(lua_State* lua) {
  LuaState& state = LuaState::of(lua);
  if (!state.is_over_ || state.traceback_.empty()) state.keep_traceback_from(lua, 1);
  return 1;
}

void LuaState::keep_traceback_from(lua_State* lua, int level) {
  luaL_traceback(lua, lua, nullptr, level);
  if (const char* text = lua_tostring(lua, -1)) traceback_ = text;
  lua_pop(lua, 1);
}

LuaState::LuaState(const Clock& clock, std::size_t memory_limit) : clock_(clock) {
  lua_ = lua_newstate(&LuaState::allocate, this);  // without the limit: LuaJIT cannot clean up after half a state
  if (lua_ && lua_cpcall(lua_, &LuaState::prepare, nullptr) != 0) lua_close(std::exchange(lua_, nullptr));
  memory_limit_ = memory_limit;
  if (!lua_) return;
  luaJIT_setmode(lua_, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);  // compiled loops would never see the deadline
  lua_gc(lua_, LUA_GCSETPAUSE, collector_pause);
}

LuaState::~LuaState() {
  if (lua_) lua_close(lua_);
}

void* LuaState::allocate(void* self, void* block, std::size_t old_size, std::size_t new_size) {
  auto& state = *static_cast<LuaState*>(self);
  if (!block) old_size = 0;
  if (new_size > old_size && state.memory_used_ - old_size + new_size > state.memory_limit_) return nullptr;
  if (new_size >= large_block && state.lua_) state.note_large(new_size);
  void* moved = state.blocks_.resize(block, old_size, new_size);
  if (moved || new_size == 0) state.memory_used_ = state.memory_used_ - old_size + new_size;
  else state.is_process_short_ = true;
  return moved;
}

// A text or a table of this size is filled by a single instruction, and 250 of them would take far longer than others:
// the next one looks at the clock. Nothing may be raised from here.
void LuaState::note_large(std::size_t bytes) {
  steps_ += bytes / 64;
  if (steps_ >= steps_between_checks) look_after(1);
}

LuaState& LuaState::of(lua_State* lua) {
  void* self = nullptr;
  lua_getallocf(lua, &self);
  return *static_cast<LuaState*>(self);
}

std::optional<Failure> LuaState::run(int time_ms, const Body& body) {
  if (!lua_) return out_of_memory();
  if (depth_ >= deepest_run)
    return Failure{
        Failure::Kind::Error, "scripts call each other more than " + std::to_string(deepest_run) + " deep", {}, {}};
  if (is_running()) return enter(body);
  time_ms_ = time_ms;
  begin_at(clock_.steady_ms());
  is_varying_ = is_process_short_ = false;
  if (std::exchange(is_over_, false)) look_after(instructions_between_checks);
  steps_ = 0;
  lines_ = 0;
  nesting_ = 0;
  ending_.reset();
  traceback_.clear();
  // An allocation that fails does not collect first: what a run before left behind must not stop this one.
  if (memory_used_ > memory_limit_ / 2) lua_gc(lua_, LUA_GCCOLLECT, 0);
  return enter(body);
}

void LuaState::begin_at(std::int64_t steady_ms) {
  began_ms_ = steady_ms;
  deadline_ = steady_ms + time_ms_;
  processor_began_ms_.reset();
}

// Nothing but lua_pcall may run out of memory here, for outside of a protected call that ends the process: even pushing
// a function may, so that those of prepare() wait in the registry.
std::optional<Failure> LuaState::enter(const Body& body) {
  std::optional<Failure> failure;
  const Body* outer = std::exchange(body_, &body);
  const int top = lua_gettop(lua_);
  ++depth_;
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, on_error_);
  lua_rawgeti(lua_, LUA_REGISTRYINDEX, call_body_);
  if (const int status = lua_pcall(lua_, 0, 0, top + 1); status != 0) failure = describe(lua_, status);
  --depth_;
  lua_settop(lua_, top);
  body_ = outer;
  return failure;
}

int LuaState::prepare(lua_State* lua) {
  LuaState& self = of(lua);
  lua_pushcfunction(lua, keep_traceback);
  self.on_error_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_pushcfunction(lua, [](lua_State* inner) {
    (*of(inner).body_)(inner);
    return 0;
  });
  self.call_body_ = luaL_ref(lua, LUA_REGISTRYINDEX);
  lua_sethook(lua, on_hook, LUA_MASKCOUNT, instructions_between_checks);
  return 0;
}

// Of an error that is a table or the like: what its __tostring says, if that goes well; its file may be gone over time
// or memory meanwhile.
std::string LuaState::text_of(lua_State* lua) {
  const std::string kind = "an error that is no text, but a " + std::string(luaL_typename(lua, -1));
  if (is_over_ || luaL_getmetafield(lua, -1, "__tostring") == 0) return kind;
  lua_pushvalue(lua, -2);
  const bool is_told = lua_pcall(lua, 1, 1, 0) == 0 && lua_type(lua, -1) == LUA_TSTRING;
  const std::string told = is_told ? lua_tostring(lua, -1) : kind;
  lua_pop(lua, 1);
  return told.empty() ? kind : told;
}

// Whoever loads a file passes on as an error of its own that there was not enough memory.
bool LuaState::is_passed_on(lua_State* lua) {
  return lua_type(lua, -1) == LUA_TSTRING && std::string_view(lua_tostring(lua, -1)) == "not enough memory";
}

Failure LuaState::describe(lua_State* lua, int status) {
  if (ending_) return *std::exchange(ending_, std::nullopt);
  if (is_process_short_ && (status == LUA_ERRMEM || is_passed_on(lua))) return out_of_memory();
  Failure failure{Failure::Kind::Error, {}, chunks_.restored(std::move(traceback_)), {}};
  if (lua_type(lua, -1) == LUA_TSTRING) failure.message = chunks_.restored(lua_tostring(lua, -1));
  else failure.message = chunks_.restored(text_of(lua));
  if (status == LUA_ERRMEM) failure.kind = Failure::Kind::Memory;
  if (is_over_) failure.kind = Failure::Kind::Time;
  return failure;
}

// Most scripts are over before the first look, and are not asked what time of the processor they began at: that is a
// call of the system.
void LuaState::check_time(lua_State* lua) {
  if (!processor_began_ms_) processor_began_ms_ = processor_ms();
  if (is_over_ || (clock_.steady_ms() >= deadline_ && !put_off()))
    stop(lua, "ran longer than " + std::to_string(time_ms_) + " ms");
}

// The limit is one of processor time: on a busy machine a script of a millisecond may see its deadline pass.
bool LuaState::put_off() {
  const std::int64_t now = clock_.steady_ms();
  const std::int64_t left = time_ms_ - (processor_ms() - *processor_began_ms_);
  deadline_ = std::min(now + left, began_ms_ + std::int64_t{busy_machine} * time_ms_);
  return now < deadline_;
}

void LuaState::stop(lua_State* lua, const std::string& why) {
  if (!is_over_) {
    over_ = why;
    keep_traceback_from(lua, 0);
  }
  is_over_ = true;
  look_after(1);  // no pcall, comparison or replacement goes on from here
  luaL_error(lua, "%s", over_.c_str());
}

void LuaState::spend(lua_State* lua, std::size_t steps) {
  steps_ += steps;
  if (steps_ < steps_between_checks) return;
  steps_ = 0;
  check_time(lua);
}

std::optional<std::string> LuaState::admit_line(std::string line) {
  constexpr std::size_t most_lines = 20;
  if (lines_ >= most_lines) return std::nullopt;
  if (++lines_ == most_lines) line += " (no more lines of this call)";
  return line;
}

void LuaState::end(lua_State* lua, Failure failure) {
  failure.message = chunks_.restored(std::move(failure.message));
  ending_ = std::move(failure);
  lua_pushlightuserdata(lua, this);
  lua_error(lua);
  std::terminate();  // it does not return, but its header does not say so
}

LuaState::Nesting::Nesting(lua_State* lua) : state_(LuaState::of(lua)) {
  if (state_.nesting_ >= deepest_nesting) luaL_error(lua, "calls are nested too deeply");
  ++state_.nesting_;
}

}  // namespace callisto::script
