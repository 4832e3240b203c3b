// Runs one chunk in a fresh sandbox, for tests.
#pragma once

#include "engine/base/datetime.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/sandbox.h"
#include "engine/script/views/values.h"

#include <memory>
#include <optional>
#include <string>

namespace callisto::script {

struct Outcome {
  std::optional<Failure> failure;
  std::optional<Value> value;  // nothing: the chunk failed, or its result is no value
};

class Sandbox {
 public:
  explicit Sandbox(std::size_t memory = 32 * 1024 * 1024) : state_(clock_, memory) {
    auto failure = state_.run(2000, [](lua_State* lua) { open_sandbox(lua); });
    if (failure) opening_failure_ = failure->message;
  }

  Outcome run(const std::string& text, int time_ms = 2000) {
    Outcome outcome;
    outcome.failure = state_.run(time_ms, [&](lua_State* lua) {
      run_chunk(lua, text, "@test");
      outcome.value = to_value(lua, -1);
    });
    return outcome;
  }

  const std::string& opening_failure() const { return opening_failure_; }

 private:
  SystemClock clock_;
  LuaState state_;
  std::string opening_failure_;
};

inline Outcome run_lua(const std::string& text, int time_ms = 2000) { return Sandbox().run(text, time_ms); }

// The chunk's value; the error's text where it failed.
inline Value value_of(const std::string& text) {
  Outcome outcome = run_lua(text);
  if (outcome.failure) return Value("error: " + outcome.failure->message);
  return outcome.value.value_or(Value(std::string("no value")));
}

inline std::string error_of(const std::string& text, int time_ms = 2000) {
  Outcome outcome = run_lua(text, time_ms);
  return outcome.failure ? outcome.failure->message : "no error";
}

}  // namespace callisto::script
