// What a writing script gets beside the session: the record as it is and as it was, the action and its input. Reads and
// writes go to the call's Host. Call inside LuaState::run only.
#pragma once

#include "engine/script/run/current_call.h"

#include <optional>

struct lua_State;

namespace callisto::script {

void register_record_views(lua_State* lua, const CurrentCall& call);  // once for each state; `call` outlives it

void push_live(lua_State* lua, const CurrentCall& call, Host::Handle record);  // record.Title, record:act, record:raise
std::optional<Host::Handle> to_live(lua_State* lua, int index);  // the record at `index`; nothing where it is none
void push_before(lua_State* lua, const CurrentCall& call, Host::Handle record);  // the same, read only
void push_input(lua_State* lua, const CurrentCall& call, Host::Handle record);   // input.<Parameter>
void push_action(lua_State* lua, const CurrentCall& call);                       // action.name .title .description

}  // namespace callisto::script
