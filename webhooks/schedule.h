// When a delivery is tried again: the schedule as data, and a pure function over it (webhooks/README.md, "When it
// fails"). All times are milliseconds. A Schedule is constant once made; any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace callisto::webhooks {

constexpr std::size_t most_attempts = 20;

struct Schedule {
  // Of each attempt, after the first one; the first entry is 0.
  std::vector<std::int64_t> offsets = {0,       5'000,     30'000,    120'000,   300'000,
                                       600'000, 1'200'000, 2'100'000, 3'000'000, 3'570'000};
  std::int64_t hour = 3'600'000;
};

// "0,5,30": the setting webhooks.schedule, in seconds, rising from 0, below 3600, at most 20 of them. `scale` is
// webhooks.time_scale, above 0 and at most 1: it shortens offsets and the hour. An empty text is the default schedule.
// Errors are for the operator (message) and name the setting and the fix.
Result<Schedule> parse_schedule(std::string_view text, double scale);

// What is known when an attempt has failed.
struct Failure {
  std::size_t attempts = 1;  // made so far, the failed one too
  DateTime first;            // when the first began
  DateTime now;
  std::optional<std::int64_t> retry_after;  // ms that the receiver asks for
};

// When to try again; nothing: that was the last attempt.
std::optional<DateTime> next_attempt(const Schedule& schedule, const Failure& failure, Random& random);

// The milliseconds that a Retry-After header asks for: seconds or an HTTP date. Nothing where it is neither.
std::optional<std::int64_t> parse_retry_after(std::string_view value, DateTime now);

}  // namespace callisto::webhooks
