// datetime.add_working(moment, { hours, minutes }, calendar), datetime.working_between(from, to, calendar),
// datetime.in_zone(moment, zone), datetime.start_of(moment, unit, zone).
#include "engine/base/datetime.h"
#include "engine/base/text.h"
#include "engine/base/time_zone.h"
#include "engine/base/working_calendar.h"
#include "engine/script/library/bindings.h"
#include "engine/script/library/exact.h"
#include "engine/script/library/lua_state.h"

#include <chrono>
#include <cmath>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include <lua.hpp>

namespace callisto::script {
namespace {

constexpr std::int64_t one_day = 86400, in_second = 1000, in_minute = 60'000, in_hour = 3'600'000;
constexpr double most_hours = 1e6;  // more than the years of a calendar have

DateTime moment(lua_State* lua, int index) {
  auto value = to_exact(lua, index);
  const auto* date = value ? std::get_if<DateTime>(&*value) : nullptr;
  if (!date) luaL_argerror(lua, index, "DateTime expected");
  return *date;
}

const WorkingCalendar& calendar(lua_State* lua, int index) {
  const char* name = luaL_checkstring(lua, index);
  const WorkingCalendar* found = LuaState::of(lua).calendar(name);
  if (!found) luaL_error(lua, "there is no calendar '%s'; the calendars are in scripts/common/calendars", name);
  return *found;
}

// Zones that scripts have named, since each is a file; there are some six hundred.
const TimeZone& zone(lua_State* lua, int index) {
  static std::mutex mutex;
  static std::map<std::string, TimeZone, std::less<>> known;
  const std::string name = luaL_checkstring(lua, index);
  const TimeZone* found = nullptr;
  {
    const std::lock_guard lock(mutex);
    auto place = known.find(name);
    if (place == known.end())
      if (auto read = TimeZone::named(name)) place = known.emplace(name, *std::move(read)).first;
    if (place != known.end()) found = &place->second;
  }
  if (!found) luaL_error(lua, "there is no time zone '%s'; write an IANA name such as 'Europe/Vienna'", name.c_str());
  return *found;
}

void push_date(lua_State* lua, const std::optional<DateTime>& date) {
  if (date) push_exact(lua, *date);
  else lua_pushnil(lua);
}

double amount(lua_State* lua, const char* name) {
  lua_getfield(lua, 2, name);
  const double number = lua_isnil(lua, -1) ? 0 : lua_tonumber(lua, -1);
  if (!lua_isnil(lua, -1) && lua_type(lua, -1) != LUA_TNUMBER)
    luaL_error(lua, "'%s' of add_working must be a number", name);
  lua_pop(lua, 1);
  if (std::isnan(number)) luaL_error(lua, "'%s' of add_working must be a number", name);
  return number;
}

// nil beyond the years that a calendar knows.
int add_working(lua_State* lua) {
  const DateTime from = moment(lua, 1);
  luaL_checktype(lua, 2, LUA_TTABLE);
  for (lua_pushnil(lua); lua_next(lua, 2); lua_pop(lua, 1)) {
    const char* name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "";
    if (std::string_view(name) != "hours" && std::string_view(name) != "minutes")
      luaL_error(lua, "add_working knows { hours = 4, minutes = 30 }, not '%s'", name);
  }
  const double ms = amount(lua, "hours") * in_hour + amount(lua, "minutes") * in_minute;
  const WorkingCalendar& named = calendar(lua, 3);
  push_date(lua, std::abs(ms) <= most_hours * in_hour ? named.add_working(from, std::llround(ms)) : std::nullopt);
  return 1;
}

// In hours.
int working_between(lua_State* lua) {
  const auto ms = calendar(lua, 3).working_between(moment(lua, 1), moment(lua, 2));
  if (ms) lua_pushnumber(lua, static_cast<double>(*ms) / in_hour);
  else lua_pushnil(lua);
  return 1;
}

std::int64_t floor_of(std::int64_t number, std::int64_t by) { return number / by - (number % by < 0 ? 1 : 0); }

std::int64_t wall_of(const TimeZone& zone, DateTime at) {
  const std::int64_t utc = floor_of(at.ms, in_second);
  return utc + zone.offset_at(utc);
}

void set(lua_State* lua, const char* name, std::int64_t value) {
  lua_pushnumber(lua, static_cast<double>(value));
  lua_setfield(lua, -2, name);
}

int in_zone(lua_State* lua) {
  const std::int64_t wall = wall_of(zone(lua, 2), moment(lua, 1)), day = floor_of(wall, one_day);
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days(day))};
  const std::int64_t of_day = wall - day * one_day;
  lua_createtable(lua, 0, 7);
  set(lua, "year", static_cast<int>(date.year()));
  set(lua, "month", static_cast<unsigned>(date.month()));
  set(lua, "day", static_cast<unsigned>(date.day()));
  set(lua, "hour", of_day / 3600);
  set(lua, "minute", of_day / 60 % 60);
  set(lua, "second", of_day % 60);
  set(lua, "weekday", ((day + 3) % 7 + 7) % 7 + 1);  // 1: Monday
  return 1;
}

std::int64_t first_day_of(std::int64_t day, std::string_view unit) {
  namespace chrono = std::chrono;
  const chrono::year_month_day date{chrono::sys_days(chrono::days(day))};
  if (unit == "week") return day - ((day + 3) % 7 + 7) % 7;
  const auto first = unit == "year" ? date.year() / chrono::January / 1 : date.year() / date.month() / 1;
  return chrono::sys_days(first).time_since_epoch().count();
}

int start_of(lua_State* lua) {
  const DateTime at = moment(lua, 1);
  const std::string_view unit = luaL_checkstring(lua, 2);
  const TimeZone& where = zone(lua, 3);
  const std::int64_t wall = wall_of(where, at), day = floor_of(wall, one_day);
  if (unit == "hour") {  // of the hour at hand, where it comes twice
    push_exact(lua, DateTime{(floor_of(at.ms, in_second) - (wall - floor_of(wall, 3600) * 3600)) * in_second});
  } else if (unit == "day" || unit == "week" || unit == "month" || unit == "year") {
    const std::int64_t first = unit == "day" ? day : first_day_of(day, unit);
    push_exact(lua, DateTime{where.to_utc(first * one_day) * in_second});
  } else {
    luaL_error(lua, "start_of knows 'hour', 'day', 'week', 'month' and 'year', not '%s'", lua_tostring(lua, 2));
  }
  return 1;
}

}  // namespace

void bind_working_time(lua_State* lua) {
  constexpr luaL_Reg functions[] = {{"add_working", add_working},
                                    {"working_between", working_between},
                                    {"in_zone", in_zone},
                                    {"start_of", start_of},
                                    {nullptr, nullptr}};
  luaL_register(lua, nullptr, functions);
}

}  // namespace callisto::script
