// The libraries that the host gives to scripts, one bind_<name>.cc each: every function here fills the table on top of
// the stack. Call inside LuaState::run only.
#pragma once

#include <cstddef>

struct lua_State;

namespace callisto::json {
class Node;
}

namespace callisto::script {

inline constexpr std::size_t most_text = 1024 * 1024;    // bytes of a text that a library function makes
void check_text_size(lua_State* lua, std::size_t size);  // raises beyond that

// Null is nil, and `null` inside of an array.
void push_json(lua_State* lua, const json::Node& node);

void bind_base(lua_State* lua);          // pcall, reject, forbid, null
void bind_string(lua_State* lua);        // find match gmatch gsub rep
void bind_table(lua_State* lua);         // insert maxn remove sort; beneath it lies the library's own table
void bind_datetime(lua_State* lua);      // now parse add
void bind_working_time(lua_State* lua);  // of datetime too: add_working working_between in_zone start_of
void bind_guid(lua_State* lua);          // parse
void bind_json(lua_State* lua);          // encode decode list
void bind_log(lua_State* lua);           // info warn
void bind_text(lua_State* lua);          // lower upper fold trim split

}  // namespace callisto::script
