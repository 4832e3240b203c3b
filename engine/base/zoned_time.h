// Dates as datetime.h reads them, in any time zone, and messages for those that are refused. Pure; any thread.
#pragma once

#include "engine/base/time_zone.h"
#include "engine/base/value.h"

#include <optional>
#include <string>
#include <string_view>

namespace callisto {

// What names neither offset nor Z is a time of `zone`, read as TimeZone::to_utc does.
std::optional<DateTime> parse_iso8601(std::string_view text, const TimeZone& zone);

// Whether it is such a date, of whatever year four digits can write.
bool is_iso8601(std::string_view text, const TimeZone& zone = TimeZone::local());
// What a text that is refused should have been: "an ISO 8601 date", or one of the years that can be kept.
std::string expected_instead(std::string_view text, const TimeZone& zone = TimeZone::local());

}  // namespace callisto
