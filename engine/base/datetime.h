// Dates: ISO 8601 in and out, the local time zone, and clocks. Pure functions except SystemClock; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/base/value.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace callisto {

// Accepts ISO 8601 calendar dates, extended or basic form, with or without time, fraction, offset or Z; without one it
// is a local time of the server, see zoned_time.h, which reads those of other zones too. 24:00 is the next midnight; a
// leap second is the second after. Years 0001 to 9999. Digits past milliseconds are cut.
std::optional<DateTime> parse_iso8601(std::string_view text);

// 2026-03-15T07:05:00.000Z; always UTC with milliseconds. Appends to `out`: the hot path allocates nothing.
void append_iso8601(std::string& out, DateTime value);
std::string to_iso8601(DateTime value);

// Days, then hours and minutes added to a moment; nothing where the sum leaves the years 0001 to 9999.
std::optional<DateTime> add(DateTime value, std::int64_t days, std::int64_t hours, std::int64_t minutes);

inline DateTime after(DateTime moment, int seconds) { return {moment.ms + std::int64_t{1000} * seconds}; }

class Clock {
 public:
  virtual ~Clock() = default;
  virtual DateTime now() const = 0;            // wall clock, UTC
  virtual std::int64_t steady_ms() const = 0;  // never goes back
};

class SystemClock final : public Clock {
 public:
  DateTime now() const override;
  std::int64_t steady_ms() const override;
};

}  // namespace callisto
