#include "engine/script/run/history.h"

#include "engine/script/library/sandbox.h"
#include "engine/script/views/record_views.h"
#include "engine/script/views/values.h"
#include "engine/script/views/view.h"
#include "engine/script/views/views.h"

#include <lua.hpp>

namespace callisto::script {
namespace {

// Asked again, the same hook answers again; a caught error leaves all as it was.
class Asking {
 public:
  explicit Asking(HistoryChain& chain) : chain_(chain) { --chain_.left; }
  ~Asking() { ++chain_.left; }
  Asking(const Asking&) = delete;
  Asking& operator=(const Asking&) = delete;
  int script() const { return chain_.scripts[chain_.left]; }

 private:
  HistoryChain& chain_;
};

// earlier() -> the row of the hook before, or nil
int earlier(lua_State* lua) {
  const CurrentCall& call = call_of(lua);
  if (!call.history) luaL_error(lua, "'earlier' is for the hook 'history', which asks the one before it for its row");
  if (lua_gettop(lua) > 0) luaL_error(lua, "'earlier' takes nothing: the hook before gets what this one got");
  const LuaState::Nesting nesting(lua);
  call_history(lua, call);
  return 1;
}

}  // namespace

void add_earlier(lua_State* lua, const CurrentCall& call) {
  lua_pushlightuserdata(lua, const_cast<CurrentCall*>(&call));
  lua_pushcclosure(lua, earlier, 1);
  add_global(lua, "earlier");
}

void call_history(lua_State* lua, const CurrentCall& call) {
  if (call.history->left == 0) return lua_pushnil(lua);
  const Asking asking(*call.history);
  lua_rawgeti(lua, LUA_REGISTRYINDEX, call.history->functions.at(static_cast<std::size_t>(asking.script())));
  push_live(lua, call, call.record);
  push_before(lua, call, call.record);
  push_action(lua, call);
  push_input(lua, call, call.record);
  push_session(lua, call);
  lua_call(lua, 5, 1);
}

}  // namespace callisto::script
