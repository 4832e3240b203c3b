// find, match, gmatch and gsub over pattern.h, and rep with its limit: these replace LuaJIT's own string functions.
#include "engine/script/library/bindings.h"
#include "engine/script/library/lua_state.h"
#include "engine/script/library/pattern.h"

#include <algorithm>
#include <string>
#include <string_view>

#include <lua.hpp>

namespace callisto::script {
namespace {

std::string_view check_text(lua_State* lua, int index) {
  std::size_t size = 0;
  const char* text = luaL_checklstring(lua, index, &size);
  return {text, size};
}

PatternMatcher::Spend spender(lua_State* lua) {
  return [lua](std::size_t steps) { LuaState::of(lua).spend(lua, steps); };
}

void push_capture(lua_State* lua, std::string_view subject, const PatternMatcher::Capture& capture) {
  if (capture.is_position) lua_pushinteger(lua, static_cast<lua_Integer>(capture.begin + 1));
  else lua_pushlstring(lua, subject.data() + capture.begin, capture.length);
}

void push_whole(lua_State* lua, std::string_view subject, const PatternMatcher& matcher) {
  lua_pushlstring(lua, subject.data() + matcher.begin(), matcher.end() - matcher.begin());
}

// The captures, or the whole match where the pattern has none and `whole` says so.
int push_captures(lua_State* lua, std::string_view subject, const PatternMatcher& matcher, bool whole) {
  const auto& captures = matcher.captures();
  if (captures.empty() && whole) {
    push_whole(lua, subject, matcher);
    return 1;
  }
  luaL_checkstack(lua, static_cast<int>(captures.size()), "too many captures");
  for (const auto& capture : captures) push_capture(lua, subject, capture);
  return static_cast<int>(captures.size());
}

bool find_or_raise(lua_State* lua, PatternMatcher& matcher, std::size_t start) {
  bool found = matcher.find(start);
  if (!matcher.error().empty()) luaL_error(lua, "%s", matcher.error().c_str());
  return found;
}

// The third argument of find and match: 1-based, negative from the end.
std::size_t start_of(lua_State* lua, std::size_t size) {
  lua_Integer init = luaL_optinteger(lua, 3, 1);
  if (init < 0) init = std::max<lua_Integer>(0, static_cast<lua_Integer>(size) + init);
  else if (init > 0) --init;
  return std::min(static_cast<std::size_t>(init), size);
}

int find(lua_State* lua) {
  std::string_view subject = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  std::size_t start = start_of(lua, subject.size());
  std::size_t begin = 0;
  std::size_t end = 0;
  int captures = 0;
  if (lua_toboolean(lua, 4) || PatternMatcher::is_plain(pattern)) {
    begin = find_plain(subject, pattern, start, spender(lua));
    if (begin == std::string_view::npos) return lua_pushnil(lua), 1;
    end = begin + pattern.size();
    lua_pushinteger(lua, static_cast<lua_Integer>(begin + 1));
    lua_pushinteger(lua, static_cast<lua_Integer>(end));
    return 2;
  }
  PatternMatcher matcher(subject, pattern, spender(lua));
  if (!find_or_raise(lua, matcher, start)) return lua_pushnil(lua), 1;
  lua_pushinteger(lua, static_cast<lua_Integer>(matcher.begin() + 1));
  lua_pushinteger(lua, static_cast<lua_Integer>(matcher.end()));
  captures = push_captures(lua, subject, matcher, false);
  return 2 + captures;
}

int match(lua_State* lua) {
  std::string_view subject = check_text(lua, 1);
  PatternMatcher matcher(subject, check_text(lua, 2), spender(lua));
  if (!find_or_raise(lua, matcher, start_of(lua, subject.size()))) return lua_pushnil(lua), 1;
  return push_captures(lua, subject, matcher, true);
}

// Upvalues: subject, pattern, where to go on.
int next_match(lua_State* lua) {
  std::string_view subject = check_text(lua, lua_upvalueindex(1));
  std::string_view pattern = check_text(lua, lua_upvalueindex(2));
  auto start = static_cast<std::size_t>(lua_tointeger(lua, lua_upvalueindex(3)));
  PatternMatcher matcher(subject, pattern, spender(lua));
  if (start > subject.size() || !find_or_raise(lua, matcher, start)) return lua_pushnil(lua), 1;
  std::size_t next = matcher.end() + (matcher.end() == matcher.begin() ? 1 : 0);
  if (matcher.is_anchored()) next = subject.size() + 1;
  lua_pushinteger(lua, static_cast<lua_Integer>(next));
  lua_replace(lua, lua_upvalueindex(3));
  return push_captures(lua, subject, matcher, true);
}

int gmatch(lua_State* lua) {
  check_text(lua, 1);
  check_text(lua, 2);
  lua_settop(lua, 2);
  lua_pushinteger(lua, 0);
  lua_pushcclosure(lua, next_match, 3);
  return 1;
}

// Before so much more is appended: what grows here is not in Lua's memory, so that nothing else would limit it.
void make_room(lua_State* lua, const std::string& result, std::size_t size) {
  check_text_size(lua, result.size() + size);
  LuaState::of(lua).spend(lua, 1 + size / 64);
}

// A replacement text: %0 to %9 are the match and its captures, %% is a percent sign.
void append_template(lua_State* lua, std::string& result, std::string_view text, std::string_view subject,
                     const PatternMatcher& matcher) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      result += text[i];
      continue;
    }
    char c = ++i < text.size() ? text[i] : '\0';
    const auto& captures = matcher.captures();
    bool is_whole = c == '0' || (c == '1' && captures.empty());
    if (is_whole) {
      make_room(lua, result, matcher.end() - matcher.begin());
      result.append(subject, matcher.begin(), matcher.end() - matcher.begin());
    } else if (c >= '1' && c <= '9') {
      auto index = static_cast<std::size_t>(c - '1');
      if (index >= captures.size()) luaL_error(lua, "invalid capture index in the replacement");
      const auto& capture = captures[index];
      make_room(lua, result, capture.length);
      if (capture.is_position) result += std::to_string(capture.begin + 1);
      else result.append(subject, capture.begin, capture.length);
    } else if (c == '%') {
      result += '%';
    } else {
      luaL_error(lua, "'%%' in a replacement needs a digit or '%%' after it");
    }
  }
}

// The replacement (argument 3) for one match; a text, a table by the first capture, or a function of all captures.
void append_replacement(lua_State* lua, std::string& result, std::string_view subject, const PatternMatcher& matcher) {
  if (lua_isstring(lua, 3)) return append_template(lua, result, check_text(lua, 3), subject, matcher);
  if (lua_istable(lua, 3)) {
    if (matcher.captures().empty()) push_whole(lua, subject, matcher);
    else push_capture(lua, subject, matcher.captures()[0]);
    lua_gettable(lua, 3);
  } else {
    lua_pushvalue(lua, 3);
    lua_call(lua, push_captures(lua, subject, matcher, true), 1);
  }
  if (!lua_toboolean(lua, -1)) {
    result.append(subject, matcher.begin(), matcher.end() - matcher.begin());
  } else if (lua_isstring(lua, -1)) {
    std::size_t size = 0;
    const char* text = lua_tolstring(lua, -1, &size);
    result.append(text, size);
  } else {
    luaL_error(lua, "invalid replacement value (a %s)", luaL_typename(lua, -1));
  }
  lua_pop(lua, 1);
}

int gsub(lua_State* lua) {
  std::string_view subject = check_text(lua, 1);
  std::string_view pattern = check_text(lua, 2);
  int kind = lua_type(lua, 3);
  if (kind != LUA_TSTRING && kind != LUA_TNUMBER && kind != LUA_TTABLE && kind != LUA_TFUNCTION)
    luaL_argerror(lua, 3, "text, table or function expected");
  lua_Integer most = luaL_optinteger(lua, 4, static_cast<lua_Integer>(subject.size() + 1));
  LuaState::Nesting nesting(lua);  // a replacing function may call gsub again
  PatternMatcher matcher(subject, pattern, spender(lua));
  std::string result;
  std::size_t copied = 0;
  std::size_t at = 0;
  lua_Integer count = 0;
  while (count < most && at <= subject.size() && find_or_raise(lua, matcher, at)) {
    ++count;
    result.append(subject, copied, matcher.begin() - copied);
    append_replacement(lua, result, subject, matcher);
    copied = matcher.end();
    at = matcher.end() + (matcher.end() == matcher.begin() ? 1 : 0);
    check_text_size(lua, result.size());
    if (matcher.is_anchored()) break;
  }
  result.append(subject, copied, std::string_view::npos);
  check_text_size(lua, result.size());
  lua_pushlstring(lua, result.data(), result.size());
  lua_pushinteger(lua, count);
  return 2;
}

// rep(text, times, separator)
int rep(lua_State* lua) {
  std::string_view text = check_text(lua, 1);
  lua_Number times = luaL_checknumber(lua, 2);
  std::string_view separator = lua_isnoneornil(lua, 3) ? std::string_view() : check_text(lua, 3);
  LuaState::of(lua).check_time(lua);
  if (!(times >= 1)) return lua_pushliteral(lua, ""), 1;
  lua_Number piece = static_cast<lua_Number>(text.size() + separator.size());
  if (piece * times > static_cast<lua_Number>(most_text)) check_text_size(lua, most_text + 1);
  std::string result;
  if (piece > 0) {
    auto count = static_cast<std::size_t>(times);
    for (std::size_t i = 0; i < count; ++i) {
      if (i > 0) result += separator;
      result += text;
    }
  }
  lua_pushlstring(lua, result.data(), result.size());
  return 1;
}

}  // namespace

void check_text_size(lua_State* lua, std::size_t size) {
  if (size > most_text) luaL_error(lua, "the text would be longer than 1 MiB");
}

void bind_string(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"find", find}, {"match", match}, {"gmatch", gmatch},
                                    {"gsub", gsub}, {"rep", rep},     {nullptr, nullptr}};
  luaL_register(lua, nullptr, functions);
}

}  // namespace callisto::script
