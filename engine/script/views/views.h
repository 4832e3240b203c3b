// What every script sees of one call: the session and, for an augmenter, the page's records. Call inside LuaState::run
// only.
#pragma once

#include "engine/script/run/current_call.h"

#include <cstddef>

struct lua_State;

namespace callisto::script {

void register_views(lua_State* lua, const CurrentCall& call);  // once for each state; `call` outlives it
void push_session(lua_State* lua, const CurrentCall& call);    // session.user_id .type :may .person.<Property> .<list>
void push_record(lua_State* lua, const CurrentCall& call, std::size_t row);  // record.Analyst, record["Service.Name"]

}  // namespace callisto::script
