// Guard: sees whether a call has changed a library. All calls and sessions of this state share what a library keeps in
// its tables and locals. A Guard remembers it as it was when the library was loaded: the upvalues of its functions, and
// the tables that they reach. Call everything except changed() inside LuaState::run.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

struct lua_State;

namespace callisto::script {

class Guard {
 public:
  void watch(lua_State* lua, const std::string& name);  // the function or table on top of the stack, which it takes
  // The name of a local, or a library, that is not as it was. Allocates nothing in Lua and raises nothing.
  std::optional<std::string> changed(lua_State* lua) const;

 private:
  struct Cell {
    int function;  // these are references of the registry
    int upvalue;
    int value;
    std::string name;
  };
  struct Table {
    int table, copy, metatable;
    std::string name;
  };
  void take(lua_State* lua, const std::string& name);
  void take_function(lua_State* lua, int reference);
  void take_table(lua_State* lua, int reference, const std::string& name);
  static bool is_same(lua_State* lua, const Cell& cell);
  static bool is_same(lua_State* lua, const Table& table);

  std::vector<Cell> cells_;
  std::vector<Table> tables_;
  std::unordered_set<const void*> seen_;
  struct Waiting {
    int reference;
    std::string name;
  };
  std::vector<Waiting> waiting_;
};

}  // namespace callisto::script
