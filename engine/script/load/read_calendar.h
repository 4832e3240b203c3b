// scripts/common/calendars/office.lua: `calendar "office" { zone = ..., hours = { mon = "09:00-17:00" }, holidays = ...
// }`. Pure; any thread, but for read_calendar(): inside LuaState::run.
#pragma once

#include "engine/base/working_calendar.h"
#include "engine/catalog/problems.h"
#include "engine/script/program.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

struct lua_State;

namespace callisto::script {

struct CalendarDefinition {
  std::string name, zone;
  std::map<std::string, std::string> hours;  // by day: "mon"
  std::vector<std::string> holidays;
  catalog::Origin origin;
};

CalendarDefinition read_calendar(lua_State* lua, const std::string& file);  // the clean definition on top of the stack
// Nothing where something in it cannot be, which is told with its line.
std::optional<WorkingCalendar> make_calendar(const CalendarDefinition& definition, const std::string& text,
                                             catalog::Problems& problems);

}  // namespace callisto::script
