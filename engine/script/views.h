// What a script sees of one call: the session and the page's records, as userdata that read on demand and only while the
// call lasts. Call inside LuaState::run only.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/script/program.h"
#include "engine/script/state.h"

#include <cstddef>
#include <cstdint>
#include <vector>

struct lua_State;

namespace callisto::script {

// The call at hand; owned by the State, known to the metatables. `number` grows with each call, so that what a script keeps
// of an earlier one answers no more.
struct CurrentCall {
  explicit CurrentCall(const Program& owner) : program(owner) {}
  const Program& program;
  std::uint64_t number = 0;
  const SessionFacts* session = nullptr;
  const catalog::Augmenter* augmenter = nullptr;                 // its `needs` name the columns of `rows`
  const std::vector<std::vector<Value>>* rows = nullptr;
};

void register_views(lua_State* lua, CurrentCall& call);          // once for each state; `call` outlives it
void push_session(lua_State* lua, const CurrentCall& call);      // session.user_id .type .person.<Property> .<list>
void push_record(lua_State* lua, const CurrentCall& call, std::size_t row);   // record.Analyst, record["Service.Name"]

}  // namespace callisto::script
