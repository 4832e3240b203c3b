#include "webhooks/schedule.h"

#include "engine/base/text.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace callisto::webhooks {

namespace {

constexpr std::int64_t seconds_of_hour = 3600;
constexpr double jitter = 0.2;
// What the last attempt has left of the hour, as a part of it: 30 s.
constexpr std::int64_t reserve_part = 120;
// Keeps sums of times far from the ends of what they are kept in.
constexpr std::int64_t longest_wait = std::int64_t{365} * 86'400'000;

Error wrong_schedule(const std::string& why) {
  return bad_format("The setting webhooks.schedule " + why +
                    ". Give seconds after the first attempt, rising from 0 and below 3600, such as 0,5,30,120.");
}

std::optional<std::int64_t> whole(std::string_view text) {
  std::int64_t number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, problem] = std::from_chars(text.data(), end, number);
  if (text.empty() || problem != std::errc() || stop != end) return std::nullopt;
  return number;
}

std::int64_t scaled(std::int64_t ms, double scale) {
  return std::max<std::int64_t>(1, std::llround(static_cast<double>(ms) * scale));
}

Result<std::vector<std::int64_t>> parse_seconds(std::string_view text) {
  std::vector<std::int64_t> seconds;
  for (const std::string_view part : text::split(text, ',')) {
    const auto number = whole(text::trim(part));
    if (!number) return wrong_schedule("has " + text::quoted(text::trim(part)) + " where a number is expected");
    if (seconds.empty() && *number != 0) return wrong_schedule("begins with " + std::to_string(*number));
    if (!seconds.empty() && *number <= seconds.back())
      return wrong_schedule("has " + std::to_string(*number) + " behind " + std::to_string(seconds.back()));
    if (*number >= seconds_of_hour) return wrong_schedule("has " + std::to_string(*number) + ", past the hour");
    if (seconds.size() == most_attempts) return wrong_schedule("has more than 20 attempts");
    seconds.push_back(*number);
  }
  return seconds;
}

std::int64_t least(std::int64_t delay) { return std::llround(static_cast<double>(delay) * (1 - jitter)); }

std::int64_t jittered(std::int64_t delay, Random& random) {
  double part = 0;  // of 1
  for (const char byte : random.bytes(4)) part = (part + static_cast<unsigned char>(byte)) / 256;
  return least(delay) + std::llround(static_cast<double>(delay) * 2 * jitter * part);
}

struct DateFields {
  std::string_view day, month, year, time;
};

// RFC 9110, section 5.6.7: "Recipients of timestamp values are encouraged to be robust" and must accept all three.
std::optional<DateFields> fields_of_date(std::string_view value) {
  std::vector<std::string_view> words;
  for (const std::string_view word : text::split(value, ' '))
    if (!word.empty()) words.push_back(word);
  if (words.size() == 6 && words[5] == "GMT") return DateFields{words[1], words[2], words[3], words[4]};
  if (words.size() == 5) return DateFields{words[2], words[1], words[4], words[3]};  // Sun Nov  6 08:49:37 1994
  if (words.size() != 4 || words[3] != "GMT") return std::nullopt;                   // Sunday, 06-Nov-94 08:49:37 GMT
  const auto parts = text::split(words[1], '-');
  if (parts.size() != 3) return std::nullopt;
  return DateFields{parts[0], parts[1], parts[2], words[2]};
}

std::optional<DateTime> parse_http_date(std::string_view value) {
  static constexpr std::array<std::string_view, 12> months = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const auto fields = fields_of_date(value);
  if (!fields) return std::nullopt;
  const auto month = std::find(months.begin(), months.end(), fields->month);
  if (month == months.end()) return std::nullopt;
  const auto two = [](std::int64_t number) { return (number < 10 ? "0" : "") + std::to_string(number); };
  const auto day = whole(fields->day);
  if (!day || *day < 1) return std::nullopt;
  const std::string year = (fields->year.size() == 2 ? "20" : "") + std::string(fields->year);
  return parse_iso8601(year + "-" + two(month - months.begin() + 1) + "-" + two(*day) + "T" +
                       std::string(fields->time) + "Z");
}

}  // namespace

Result<Schedule> parse_schedule(std::string_view text, double scale) {
  if (!(scale > 0 && scale <= 1))
    return bad_format("The setting webhooks.time_scale must be above 0 and at most 1; 1 is real time.");
  Schedule schedule;
  if (!text::trim(text).empty()) {
    CALLISTO_TRY(schedule.offsets, parse_seconds(text));
    for (std::int64_t& offset : schedule.offsets) offset *= 1000;
  }
  for (std::int64_t& offset : schedule.offsets)
    if (offset > 0) offset = scaled(offset, scale);
  schedule.hour = scaled(schedule.hour, scale);
  return schedule;
}

std::optional<DateTime> next_attempt(const Schedule& schedule, const Failure& failure, Random& random) {
  if (failure.attempts >= std::min(schedule.offsets.size(), most_attempts)) return std::nullopt;
  const std::int64_t end = std::max(schedule.offsets.back(), schedule.hour - schedule.hour / reserve_part);
  const std::int64_t elapsed = failure.now.ms - failure.first.ms;
  if (elapsed >= end) return std::nullopt;  // the attempt at the hour's end was this one
  const std::int64_t before = schedule.offsets[failure.attempts - 1];
  std::int64_t planned = before + jittered(schedule.offsets[failure.attempts] - before, random);
  // One that came late, since it was told to wait or took long, is not followed at once by all that were planned
  // meanwhile.
  planned = std::max(planned, elapsed + least(schedule.offsets[1]));
  if (failure.retry_after) planned = std::max(planned, elapsed + std::min(*failure.retry_after, longest_wait));
  return DateTime{failure.first.ms + std::min(planned, end)};
}

// RFC 9110, section 10.2.3: "Retry-After = HTTP-date / delay-seconds".
std::optional<std::int64_t> parse_retry_after(std::string_view value, DateTime now) {
  value = text::trim(value);
  if (const auto seconds = whole(value)) {
    if (*seconds < 0) return std::nullopt;
    return std::min(*seconds, longest_wait / 1000) * 1000;
  }
  const bool digits =
      !value.empty() && std::all_of(value.begin(), value.end(), [](char c) { return c >= '0' && c <= '9'; });
  if (digits) return longest_wait;  // more than a number holds
  const auto date = parse_http_date(value);
  if (!date) return std::nullopt;
  return std::max<std::int64_t>(0, date->ms - now.ms);
}

}  // namespace callisto::webhooks
