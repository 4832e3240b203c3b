// Reads the fields of the Lua table on top of the stack; a field that is missing or of another type reads as nothing.
// Call inside LuaState::run only.
#pragma once

#include "engine/catalog/builder.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

struct lua_State;

namespace callisto::script {

class Fields {
 public:
  explicit Fields(lua_State* lua) : lua_(lua) {}

  std::string text(const char* name) const;
  bool flag(const char* name, bool otherwise = false) const;
  std::optional<int> whole(const char* name) const;
  std::vector<std::string> texts(const char* name) const;
  std::map<std::string, std::string> names(const char* name) const;
  std::optional<catalog::Grants> grants(const char* name) const;  // { Analyst = true, User = "filter" }
  bool is_code(const char* name) const;
  void with(const char* name, const std::function<void()>& use) const;  // the field on top of the stack, whatever it is
  void each(const char* name, const std::function<void()>& use) const;  // each item of a list on top of the stack

 private:
  lua_State* lua_;
};

catalog::Lines read_lines(lua_State* lua);  // "lines" of a clean definition

}  // namespace callisto::script
