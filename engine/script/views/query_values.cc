#include "engine/script/views/query_values.h"

#include "engine/base/text.h"
#include "engine/script/views/record_views.h"
#include "engine/script/views/values.h"
#include "engine/script/views/view.h"

#include <string>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::size_t most_values = 1000;  // of one list

// A record stands for its key.
Value read_value(lua_State* lua, const CurrentCall& call, int index) {
  if (const auto key = key_of_record(lua, call, index)) return *key;
  auto value = to_value(lua, index);
  const auto* words = value ? std::get_if<std::string>(&*value) : nullptr;
  if (!value || std::holds_alternative<Binary>(*value) || (words && !text::is_utf8(*words)))
    luaL_error(lua, "a '?' of the filter stands for a value, a record or a list of these, not for %s",
               describe(lua, index).c_str());
  return *std::move(value);
}

Host::Query::Given read_given(lua_State* lua, const CurrentCall& call, int index) {
  if (!lua_istable(lua, index)) return {{read_value(lua, call, index)}, false};
  Host::Query::Given given{{}, true};
  const std::size_t count = lua_objlen(lua, index);
  if (count > most_values) luaL_error(lua, "a list for a '?' has at most %d values", static_cast<int>(most_values));
  for (std::size_t i = 1; i <= count; ++i) {
    lua_rawgeti(lua, index, static_cast<int>(i));
    given.values.push_back(read_value(lua, call, lua_gettop(lua)));
    lua_pop(lua, 1);
  }
  if (count == 0 && (lua_pushnil(lua), lua_next(lua, index) != 0))
    luaL_error(lua, "a '?' of the filter stands for a value or a list, { 1, 2 }; this table has names");
  return given;
}

std::vector<std::string_view> known_options(QueryOptions allowed) {
  std::vector<std::string_view> names;
  if (allowed.orderby) names.emplace_back("orderby");
  if (allowed.top) names.emplace_back("top");
  return names;
}

void read_options(lua_State* lua, int index, QueryOptions allowed, Host::Query& query) {
  for (lua_pushnil(lua); lua_next(lua, index); lua_pop(lua, 1)) {
    const std::string name =
        lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : describe(lua, lua_gettop(lua) - 1);
    if (name == "orderby" && allowed.orderby) {
      if (lua_type(lua, -1) != LUA_TSTRING) luaL_error(lua, "orderby is a text: orderby = \"LoggedDate desc\"");
      query.orderby = lua_tostring(lua, -1);
    } else if (name == "top" && allowed.top) {
      const double top = lua_type(lua, -1) == LUA_TNUMBER ? lua_tonumber(lua, -1) : 0;
      if (top < 1 || top > 1000 || top != static_cast<double>(static_cast<int>(top)))
        luaL_error(lua, "top is a whole number from 1 to 1000");
      query.top = static_cast<std::size_t>(top);
    } else {
      raise_unknown(lua, "a search has no option", name, known_options(allowed));
    }
  }
}

}  // namespace

std::optional<std::int64_t> key_of_record(lua_State* lua, const CurrentCall& call, int index) {
  const auto record = to_live(lua, index);
  if (!record) return std::nullopt;
  if (static_cast<const View*>(lua_touserdata(lua, index))->call != call.number) raise_over(lua);
  return call.host->get_key(*record);
}

bool is_null_word(lua_State* lua, int index) {
  return lua_islightuserdata(lua, index) && lua_touserdata(lua, index) == nullptr;
}

Host::Query read_query(lua_State* lua, const CurrentCall& call, QueryOptions allowed) {
  Host::Query query;
  const int last = lua_gettop(lua);
  if (last < 2 || lua_isnil(lua, 2)) return query;
  if (lua_type(lua, 2) != LUA_TSTRING)
    luaL_error(lua, "a filter is expected here, \"State == ?\", not %s", describe(lua, 2).c_str());
  std::size_t size = 0;
  const char* filter = lua_tolstring(lua, 2, &size);
  query.filter.assign(filter, size);
  if (!text::is_utf8(query.filter)) luaL_error(lua, "the filter is no UTF-8 text");
  const int wanted = static_cast<int>(call.host->placeholders(query.filter));
  const bool has_options = last == wanted + 3 && lua_istable(lua, last);
  const int given = last - 2 - (has_options ? 1 : 0);
  if (given != wanted) luaL_error(lua, "the filter has %d '?', and %d values are given", wanted, given);
  for (int i = 0; i < wanted; ++i) query.given.push_back(read_given(lua, call, i + 3));
  if (has_options) read_options(lua, last, allowed, query);
  return query;
}

}  // namespace callisto::script
