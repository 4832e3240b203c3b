#include "engine/script/lua_state.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include <lua.hpp>

namespace callisto::script {
namespace {

// trust.md D.5. A smaller number than measured there, since a few library functions may each work for a while in C.
constexpr int instructions_between_checks = 250;
constexpr std::size_t steps_between_checks = 4096;
constexpr int busy_machine = 5;  // so many times its limit a script may take where others have the processor meanwhile
constexpr int deepest_nesting = 100;
constexpr int deepest_run = 16;       // each has frames of Lua, the host and its database on the thread's own stack
constexpr int collector_pause = 150;  // collect early: an allocation that fails does not collect first

const char out_of_memory[] = "not enough memory";

std::int64_t processor_ms() {  // of this thread
  timespec used{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
  return used.tv_sec * 1000 + used.tv_nsec / 1'000'000;
}

void on_count(lua_State* lua, lua_Debug*) { LuaState::of(lua).check_time(lua); }

}  // namespace

struct LuaState::Entry {
  LuaState& state;
  const Body& body;
  std::optional<Failure> failure;
};

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
  void* moved = state.blocks_.resize(block, old_size, new_size);
  if (moved || new_size == 0) state.memory_used_ = state.memory_used_ - old_size + new_size;
  return moved;
}

LuaState& LuaState::of(lua_State* lua) {
  void* self = nullptr;
  lua_getallocf(lua, &self);
  return *static_cast<LuaState*>(self);
}

std::optional<Failure> LuaState::run(int time_ms, const Body& body) {
  if (!lua_) return Failure{Failure::Kind::Memory, out_of_memory, {}, {}};
  if (is_running()) return enter_again(body);
  time_ms_ = time_ms;
  began_ms_ = clock_.steady_ms();
  deadline_ = began_ms_ + time_ms;
  processor_began_ms_ = processor_ms();
  is_over_ = false;
  steps_ = 0;
  nesting_ = 0;
  ending_.reset();
  traceback_.clear();
  // An allocation that fails does not collect first: what a run before left behind must not stop this one.
  if (memory_used_ > memory_limit_ / 2) lua_gc(lua_, LUA_GCCOLLECT, 0);
  Entry entry{*this, body, {}};
  depth_ = 1;
  lua_sethook(lua_, on_count, LUA_MASKCOUNT, instructions_between_checks);
  // lua_cpcall, for even pushing a function may run out of memory, which outside of a protected call ends the process.
  int status = lua_cpcall(lua_, &LuaState::enter, &entry);
  lua_sethook(lua_, nullptr, 0, 0);
  depth_ = 0;
  if (status != 0) {
    entry.failure = Failure{Failure::Kind::Memory, out_of_memory, {}, {}};
    lua_settop(lua_, 0);
  }
  return std::move(entry.failure);
}

std::optional<Failure> LuaState::enter_again(const Body& body) {
  if (depth_ >= deepest_run)
    return Failure{
        Failure::Kind::Error, "scripts call each other more than " + std::to_string(deepest_run) + " deep", {}, {}};
  Entry entry{*this, body, {}};
  int top = lua_gettop(lua_);
  ++depth_;
  int status = lua_cpcall(lua_, &LuaState::enter, &entry);
  --depth_;
  lua_settop(lua_, top);
  if (status != 0) entry.failure = Failure{Failure::Kind::Memory, out_of_memory, {}, {}};
  return std::move(entry.failure);
}

int LuaState::enter(lua_State* lua) {
  auto& entry = *static_cast<Entry*>(lua_touserdata(lua, 1));
  lua_settop(lua, 0);
  lua_pushcfunction(lua, keep_traceback);
  lua_pushcfunction(lua, [](lua_State* inner) {
    auto& self = *static_cast<Entry*>(lua_touserdata(inner, 1));
    lua_settop(inner, 0);
    self.body(inner);
    return 0;
  });
  lua_pushlightuserdata(lua, &entry);
  int status = lua_pcall(lua, 1, 0, 1);
  if (status != 0) entry.failure = entry.state.describe(lua, status);
  return 0;
}

Failure LuaState::describe(lua_State* lua, int status) {
  if (ending_) return *std::exchange(ending_, std::nullopt);
  Failure failure{Failure::Kind::Error, {}, std::move(traceback_), {}};
  if (lua_type(lua, -1) == LUA_TSTRING) failure.message = lua_tostring(lua, -1);
  else failure.message = "an error that is no text, but a " + std::string(luaL_typename(lua, -1));
  if (status == LUA_ERRMEM) failure.kind = Failure::Kind::Memory;
  if (is_over_) failure.kind = Failure::Kind::Time;
  return failure;
}

void LuaState::check_time(lua_State* lua) {
  if (is_over_ || (clock_.steady_ms() >= deadline_ && !put_off()))
    stop(lua, "ran longer than " + std::to_string(time_ms_) + " ms");
}

// The limit is one of processor time: on a busy machine a script of a millisecond may see its deadline pass.
bool LuaState::put_off() {
  const std::int64_t now = clock_.steady_ms();
  const std::int64_t left = time_ms_ - (processor_ms() - processor_began_ms_);
  deadline_ = std::min(now + left, began_ms_ + std::int64_t{busy_machine} * time_ms_);
  return now < deadline_;
}

void LuaState::stop(lua_State* lua, const std::string& why) {
  if (!is_over_) {
    over_ = why;
    keep_traceback_from(lua, 0);
  }
  is_over_ = true;
  lua_sethook(lua, on_count, LUA_MASKCOUNT, 1);  // no pcall, comparison or replacement goes on from here
  luaL_error(lua, "%s", over_.c_str());
}

void LuaState::spend(lua_State* lua, std::size_t steps) {
  steps_ += steps;
  if (steps_ < steps_between_checks) return;
  steps_ = 0;
  check_time(lua);
}

void LuaState::end(lua_State* lua, Failure failure) {
  ending_ = std::move(failure);
  lua_pushlightuserdata(lua, this);
  lua_error(lua);
}

LuaState::Nesting::Nesting(lua_State* lua) : state_(LuaState::of(lua)) {
  if (state_.nesting_ >= deepest_nesting) luaL_error(lua, "calls are nested too deeply");
  ++state_.nesting_;
}

}  // namespace callisto::script
