#include "engine/script/load/read_calendar.h"

#include "engine/base/text.h"
#include "engine/script/load/fields.h"
#include "engine/script/load/read_definition.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace callisto::script {
namespace {

constexpr std::array<std::string_view, 7> days{"mon", "tue", "wed", "thu", "fri", "sat", "sun"};

class Maker {
 public:
  Maker(const CalendarDefinition& definition, const std::string& text, catalog::Problems& problems)
      : definition_(definition), text_(text), problems_(problems) {}

  std::optional<WorkingCalendar> make() {
    auto zone = TimeZone::named(definition_.zone);
    if (!zone) wrong("zone", "calendar " + text::quoted(definition_.name) + ": " + zone.error().message);
    WorkingCalendar::Week week = read_week();
    const auto holidays = read_holidays();
    const bool has_hours = std::any_of(week.begin(), week.end(), [](const auto& day) { return !day.empty(); });
    if (!has_hours && !failed_) wrong("hours", "calendar " + text::quoted(definition_.name) + " has no working hours");
    if (failed_) return std::nullopt;
    return WorkingCalendar(*std::move(zone), std::move(week), holidays);
  }

 private:
  WorkingCalendar::Week read_week() {
    WorkingCalendar::Week week;
    for (const auto& [day, hours] : definition_.hours) {
      const auto* place = std::find(days.begin(), days.end(), day);
      if (place == days.end()) {
        wrong(day, text::quoted(day) + " is no day; days are mon, tue, wed, thu, fri, sat, sun",
              catalog::did_you_mean(day, {days.begin(), days.end()}));
        continue;
      }
      auto spans = parse_hours(hours);
      if (spans) week[static_cast<std::size_t>(place - days.begin())] = *std::move(spans);
      else wrong(day, "'" + day + "': " + spans.error().message);
    }
    return week;
  }

  std::set<WorkingCalendar::Holiday> read_holidays() {
    std::set<WorkingCalendar::Holiday> holidays;
    for (const std::string& each : definition_.holidays) {
      const auto holiday = parse_holiday(each);
      if (holiday) holidays.insert(*holiday);
      else wrong(each, "'holidays': " + holiday.error().message, {}, false);
    }
    return holidays;
  }

  void wrong(std::string_view word, std::string message, std::string mend = {}, bool is_option = true) {
    failed_ = true;
    const int line = find_line(text_, word, definition_.origin.line, is_option);
    problems_.add({definition_.origin.file, line}, std::move(message), std::move(mend));
  }

  const CalendarDefinition& definition_;
  const std::string& text_;
  catalog::Problems& problems_;
  bool failed_ = false;
};

}  // namespace

CalendarDefinition read_calendar(lua_State* lua, const std::string& file) {
  CalendarDefinition calendar;
  calendar.name = read_name(lua);
  calendar.origin = {file, read_line(lua)};
  Fields(lua).with("options", [&] {
    Fields fields(lua);
    calendar.zone = fields.text("zone");
    calendar.hours = fields.names("hours");
    calendar.holidays = fields.texts("holidays");
  });
  return calendar;
}

std::optional<WorkingCalendar> make_calendar(const CalendarDefinition& definition, const std::string& text,
                                             catalog::Problems& problems) {
  return Maker(definition, text, problems).make();
}

}  // namespace callisto::script
