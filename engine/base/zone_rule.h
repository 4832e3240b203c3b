// The rule of a POSIX TZ text, such as "CET-1CEST,M3.5.0,M10.5.0/3" (POSIX.1 8.3; RFC 9636 3.3.2). Pure; any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace callisto {

struct ZoneRule {
  struct Day {
    enum class Form { NoLeapDay, FromZero, Weekday } form = Form::Weekday;  // Jn, n, Mm.w.d
    unsigned month = 1, week = 1, day = 0;  // `day` of the year, or of the week from Sunday
    std::int64_t time = 0;                  // seconds after its midnight

    std::int64_t wall_in(int year) const;  // seconds since 1970-01-01T00:00:00 of the wall's clock
  };
  struct Summer {
    std::int64_t offset = 0;
    Day begin, end;
  };

  std::int64_t offset = 0;  // seconds east of UTC
  std::optional<Summer> summer;
};

std::optional<ZoneRule> read_zone_rule(std::string_view text);

}  // namespace callisto
