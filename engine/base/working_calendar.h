// WorkingCalendar: the working hours of a week in a time zone, without holidays. It computes the working time between
// two moments, and the moment after a given working time, each in a few steps, however far apart they are. Hours are
// local time: a span over a change of summer time is an hour longer or shorter.
//
// Invariants: immutable; covers the years 1990 to 2099 and nothing beyond. Any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/base/time_zone.h"

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace callisto {

class WorkingCalendar {
 public:
  struct Span {
    std::int64_t begin = 0, end = 0;  // seconds of the day; end may be 24 o'clock
  };
  using Week = std::array<std::vector<Span>, 7>;  // Monday first; the spans of a day in order, none within another
  struct Holiday {
    std::optional<int> year;  // none: each year
    unsigned month = 1, day = 1;
    auto operator<=>(const Holiday&) const = default;
  };

  // Requires: a week with at least one span.
  WorkingCalendar(TimeZone zone, Week week, const std::set<Holiday>& holidays);

  // Milliseconds; below 0 where `to` is earlier.
  std::optional<std::int64_t> working_between(DateTime from, DateTime to) const;
  // The first moment by which so many milliseconds of working time have passed; backwards where `ms` is below 0. What
  // is added to a moment outside of working hours begins with the next ones.
  std::optional<DateTime> add_working(DateTime from, std::int64_t ms) const;

  const TimeZone& zone() const { return zone_; }

 private:
  struct Stretch {
    std::int64_t begin = 0, end = 0;  // UTC, seconds
  };
  std::vector<Stretch> stretches_of(std::int64_t day) const;  // of a day since 1970, on the wall
  std::int64_t day_of(std::int64_t utc) const;
  std::optional<std::int64_t> passed_ms(DateTime moment) const;  // working time since the first day
  bool is_holiday(std::int64_t day) const;

  TimeZone zone_;
  Week week_;
  std::set<std::int64_t> holidays_;   // days since 1970
  std::vector<std::int64_t> passed_;  // before each day, in seconds; one more than there are days
};

// "09:00-17:00" or "09:00-12:00, 13:00-17:00". Error: bad_format, what is wrong and what is expected.
Result<std::vector<WorkingCalendar::Span>> parse_hours(std::string_view text);
// "2026-12-25", or "12-25" of each year.
Result<WorkingCalendar::Holiday> parse_holiday(std::string_view text);

}  // namespace callisto
