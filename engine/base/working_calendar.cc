#include "engine/base/working_calendar.h"

#include "engine/base/text.h"

#include <algorithm>
#include <charconv>
#include <utility>

namespace callisto {
namespace {

namespace chrono = std::chrono;

constexpr std::int64_t one_day = 86400;
constexpr std::int64_t in_second = 1000;
constexpr int first_year = 1990, last_year = 2099;

std::int64_t days_of(int year, unsigned month, unsigned day) {
  return chrono::sys_days(chrono::year(year) / chrono::month(month) / chrono::day(day)).time_since_epoch().count();
}
const std::int64_t first_day = days_of(first_year, 1, 1);
const std::int64_t end_day = days_of(last_year + 1, 1, 1);

std::int64_t floor_of(std::int64_t number, std::int64_t by) {
  return number / by - (number % by != 0 && (number < 0) != (by < 0) ? 1 : 0);
}

// 1970-01-01 was a Thursday.
std::size_t weekday_of(std::int64_t day) { return static_cast<std::size_t>(((day + 3) % 7 + 7) % 7); }

std::optional<int> number_of(std::string_view digits, std::size_t length) {
  int number = 0;
  const auto [end, problem] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = problem == std::errc() && end == digits.data() + digits.size() && digits.size() == length;
  return whole && number >= 0 ? std::optional(number) : std::nullopt;
}

std::optional<std::int64_t> time_of_day(std::string_view text) {
  if (text.size() != 5 || text[2] != ':') return std::nullopt;
  const auto hour = number_of(text.substr(0, 2), 2), minute = number_of(text.substr(3), 2);
  if (!hour || !minute || *minute > 59 || *hour > 24 || (*hour == 24 && *minute > 0)) return std::nullopt;
  return *hour * 3600 + *minute * 60;
}

}  // namespace

WorkingCalendar::WorkingCalendar(TimeZone zone, Week week, const std::set<Holiday>& holidays)
    : zone_(std::move(zone)), week_(std::move(week)) {
  for (const Holiday& each : holidays)
    for (int year = each.year.value_or(first_year); year <= each.year.value_or(last_year); ++year)
      if ((chrono::year(year) / chrono::month(each.month) / chrono::day(each.day)).ok())
        holidays_.insert(days_of(year, each.month, each.day));
  passed_.reserve(static_cast<std::size_t>(end_day - first_day) + 1);
  std::int64_t sum = 0;
  for (std::int64_t day = first_day; day < end_day; ++day) {
    passed_.push_back(sum);
    for (const Stretch& stretch : stretches_of(day)) sum += stretch.end - stretch.begin;
  }
  passed_.push_back(sum);
}

bool WorkingCalendar::is_holiday(std::int64_t day) const { return holidays_.contains(day); }

// What begins within an hour that the wall passes over begins behind it.
std::vector<WorkingCalendar::Stretch> WorkingCalendar::stretches_of(std::int64_t day) const {
  std::vector<Stretch> stretches;
  if (is_holiday(day)) return stretches;
  for (const Span& span : week_[weekday_of(day)]) {
    Stretch stretch{zone_.to_utc(day * one_day + span.begin), zone_.to_utc(day * one_day + span.end)};
    if (!stretches.empty()) stretch.begin = std::max(stretch.begin, stretches.back().end);
    if (stretch.begin < stretch.end) stretches.push_back(stretch);
  }
  return stretches;
}

// By the midnights of the wall, so that an hour that comes twice belongs to one day.
std::int64_t WorkingCalendar::day_of(std::int64_t utc) const {
  std::int64_t day = floor_of(utc + zone_.offset_at(utc), one_day);
  while (utc < zone_.to_utc(day * one_day)) --day;
  while (utc >= zone_.to_utc((day + 1) * one_day)) ++day;
  return day;
}

std::optional<std::int64_t> WorkingCalendar::passed_ms(DateTime moment) const {
  const std::int64_t seconds = floor_of(moment.ms, in_second), day = day_of(seconds);
  if (day < first_day || day >= end_day) return std::nullopt;
  std::int64_t passed = passed_[static_cast<std::size_t>(day - first_day)] * in_second;
  for (const Stretch& stretch : stretches_of(day)) {
    if (moment.ms <= stretch.begin * in_second) break;
    passed += std::min(moment.ms, stretch.end * in_second) - stretch.begin * in_second;
  }
  return passed;
}

std::optional<std::int64_t> WorkingCalendar::working_between(DateTime from, DateTime to) const {
  const auto before = passed_ms(from), behind = passed_ms(to);
  if (!before || !behind) return std::nullopt;
  return *behind - *before;
}

std::optional<DateTime> WorkingCalendar::add_working(DateTime from, std::int64_t ms) const {
  const auto passed = passed_ms(from);
  if (!passed) return std::nullopt;
  if (ms == 0) return from;
  const bool forward = ms > 0;
  const std::int64_t wanted = *passed + ms;  // the number of milliseconds of two centuries is far from overflow
  if (wanted < 0 || wanted > passed_.back() * in_second) return std::nullopt;
  // The day on which so much has passed: the first such moment, or, backwards, the last.
  const auto is_before = [&](std::int64_t sum, std::int64_t target) { return sum * in_second < target; };
  auto found = forward
                   ? std::lower_bound(passed_.begin(), passed_.end(), wanted, is_before)
                   : std::upper_bound(passed_.begin(), passed_.end(), wanted,
                                      [&](std::int64_t target, std::int64_t sum) { return target < sum * in_second; });
  if (found == passed_.begin() || found == passed_.end()) return std::nullopt;
  const std::int64_t day = first_day + (found - passed_.begin()) - 1;
  std::int64_t left = wanted - *std::prev(found) * in_second;
  for (const Stretch& stretch : stretches_of(day)) {
    const std::int64_t length = (stretch.end - stretch.begin) * in_second;
    if (forward ? left <= length : left < length) return DateTime{stretch.begin * in_second + left};
    left -= length;
  }
  return std::nullopt;
}

Result<std::vector<WorkingCalendar::Span>> parse_hours(std::string_view text) {
  const auto wrong = [&](const std::string& why) {
    return bad_format(text::quoted(text) + ": " + why + "; write \"09:00-17:00\" or \"09:00-12:00, 13:00-17:00\"");
  };
  std::vector<WorkingCalendar::Span> spans;
  for (const std::string_view part : text::split(text, ',')) {
    const std::string_view span = text::trim(part);
    const std::size_t dash = span.find('-');
    const auto begin = dash == span.npos ? std::nullopt : time_of_day(text::trim(span.substr(0, dash)));
    const auto end = dash == span.npos ? std::nullopt : time_of_day(text::trim(span.substr(dash + 1)));
    if (!begin || !end) return wrong("these are no hours of a day");
    if (*begin >= *end) return wrong("hours end before they begin");
    if (!spans.empty() && *begin < spans.back().end)
      return wrong("the hours of a day must be in order and must not overlap");
    spans.push_back({*begin, *end});
  }
  return spans;
}

Result<WorkingCalendar::Holiday> parse_holiday(std::string_view text) {
  const auto parts = text::split(text, '-');
  const bool has_year = parts.size() == 3;
  const auto year = has_year ? number_of(parts[0], 4) : std::optional(2000);  // a leap year: 02-29 comes in some
  const auto month = parts.size() >= 2 ? number_of(parts[parts.size() - 2], 2) : std::nullopt;
  const auto day = parts.size() >= 2 ? number_of(parts.back(), 2) : std::nullopt;
  const bool is_date =
      parts.size() <= 3 && year && month && day &&
      (chrono::year(*year) / chrono::month(static_cast<unsigned>(*month)) / chrono::day(static_cast<unsigned>(*day)))
          .ok();
  if (!is_date) return bad_format(text::quoted(text) + " is no date; write \"2026-12-25\", or \"12-25\" for each year");
  return WorkingCalendar::Holiday{has_year ? year : std::nullopt, static_cast<unsigned>(*month),
                                  static_cast<unsigned>(*day)};
}

}  // namespace callisto
