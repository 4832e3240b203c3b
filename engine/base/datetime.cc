#include "engine/base/datetime.h"

#include "engine/base/zoned_time.h"

#include <algorithm>
#include <chrono>

namespace callisto {

namespace {

namespace chrono = std::chrono;

constexpr std::int64_t one_second = 1000;
constexpr std::int64_t one_minute = 60 * one_second;
constexpr std::int64_t one_hour = 60 * one_minute;
constexpr std::int64_t one_day = 24 * one_hour;

constexpr std::int64_t midnight(chrono::year_month_day date) {
  return chrono::sys_days(date).time_since_epoch().count() * one_day;
}

constexpr std::int64_t first = midnight(chrono::year(1) / 1 / 1);
constexpr std::int64_t last = midnight(chrono::year(10000) / 1 / 1) - 1;

// Walks over the text; each step reads what it names or leaves the place as it was.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool at_end() const { return at_ == text_.size(); }
  bool at_digit() const { return !at_end() && text_[at_] >= '0' && text_[at_] <= '9'; }

  bool take(char c) {
    if (at_end() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  bool take_any(std::string_view set) {
    return std::any_of(set.begin(), set.end(), [&](char c) { return take(c); });
  }
  // Exactly `count` digits.
  bool number(int count, int& out) {
    const std::size_t start = at_;
    out = 0;
    for (; count > 0 && at_digit(); --count) out = out * 10 + digit();
    if (count > 0) at_ = start;
    return count == 0;
  }
  int digit() { return text_[at_++] - '0'; }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

struct Time {
  int hour = 0;
  int minute = 0;
  int second = 0;
  std::int64_t fraction_ms = 0;
};

bool read_date(Scanner& in, bool& extended, chrono::year_month_day& date) {
  int year, month, day;
  if (!in.number(4, year)) return false;
  extended = in.take('-');
  if (!in.number(2, month)) return false;
  if (extended && !in.take('-')) return false;
  if (!in.number(2, day)) return false;
  date = {chrono::year(year), chrono::month(static_cast<unsigned>(month)), chrono::day(static_cast<unsigned>(day))};
  return date.ok();
}

// ISO 8601 lets the last part that is written have a fraction, after a point or a comma.
bool read_fraction(Scanner& in, std::int64_t unit_ms, std::int64_t& out) {
  if (!in.take_any(".,")) return true;
  if (!in.at_digit()) return false;
  constexpr std::int64_t enough = 1'000'000'000'000;  // times an hour's milliseconds still fits
  std::int64_t digits = 0;
  std::int64_t scale = 1;
  while (in.at_digit()) {
    const int digit = in.digit();
    if (scale == enough) continue;
    digits = digits * 10 + digit;
    scale *= 10;
  }
  out = digits * unit_ms / scale;
  return true;
}

bool read_time(Scanner& in, bool extended, Time& time) {
  if (!in.number(2, time.hour)) return false;
  std::int64_t unit = one_hour;
  if (extended ? in.take(':') : in.at_digit()) {
    if (!in.number(2, time.minute)) return false;
    unit = one_minute;
    if (extended ? in.take(':') : in.at_digit()) {
      if (!in.number(2, time.second)) return false;
      unit = one_second;
    }
  }
  if (!read_fraction(in, unit, time.fraction_ms) || time.minute > 59 || time.second > 60) return false;
  if (time.hour == 24) return time.minute == 0 && time.second == 0 && time.fraction_ms == 0;
  return time.hour < 24;
}

// Leaves `offset` empty where no zone is written.
bool read_offset(Scanner& in, std::optional<std::int64_t>& offset) {
  if (in.at_end()) return true;
  if (in.take_any("Zz")) {
    offset = 0;
    return in.at_end();
  }
  const bool west = in.take('-');
  if (!west && !in.take('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!in.number(2, hours)) return false;
  if ((in.take(':') || in.at_digit()) && !in.number(2, minutes)) return false;
  if (hours > 23 || minutes > 59) return false;
  offset = (hours * one_hour + minutes * one_minute) * (west ? -1 : 1);
  return in.at_end();
}

std::optional<DateTime> within_years(std::int64_t ms) {
  if (ms < first || ms > last) return std::nullopt;
  return DateTime{ms};
}

// Milliseconds since 1970 of any year that four digits can write.
std::optional<std::int64_t> read_iso8601(std::string_view text, const TimeZone& zone) {
  Scanner in(text);
  bool extended = false;
  chrono::year_month_day date;
  Time time;
  std::optional<std::int64_t> offset;
  if (!read_date(in, extended, date)) return std::nullopt;
  if (!in.at_end() && !(in.take_any("Tt") && read_time(in, extended, time) && read_offset(in, offset)))
    return std::nullopt;

  const std::int64_t wall = midnight(date) + time.hour * one_hour + time.minute * one_minute + time.second * one_second;
  const std::int64_t ms = (offset ? wall - *offset : zone.to_utc(wall / one_second) * one_second) + time.fraction_ms;
  // A leap second exists only at the end of a UTC day, whatever the clock on the wall says.
  const std::int64_t in_day = ((ms % one_day) + one_day) % one_day;
  if (time.second == 60 && in_day >= one_second) return std::nullopt;
  return ms;
}

void put(char* at, int width, std::int64_t number) {
  for (int i = width - 1; i >= 0; --i, number /= 10) at[i] = static_cast<char>('0' + number % 10);
}

}  // namespace

std::optional<DateTime> parse_iso8601(std::string_view text, const TimeZone& zone) {
  const auto ms = read_iso8601(text, zone);
  return ms ? within_years(*ms) : std::nullopt;
}

std::optional<DateTime> parse_iso8601(std::string_view text) { return parse_iso8601(text, TimeZone::local()); }

bool is_iso8601(std::string_view text, const TimeZone& zone) { return read_iso8601(text, zone).has_value(); }

std::string expected_instead(std::string_view text, const TimeZone& zone) {
  return is_iso8601(text, zone) ? "a moment in the years 0001 to 9999 of UTC" : "an ISO 8601 date";
}

void append_iso8601(std::string& out, DateTime value) {
  // Only years 0001 to 9999 have this form; a stored moment outside them shows as the nearest that has.
  const auto moment = chrono::sys_time<chrono::milliseconds>(chrono::milliseconds(std::clamp(value.ms, first, last)));
  const auto day = chrono::floor<chrono::days>(moment);
  const chrono::year_month_day date(day);
  const std::int64_t in_day = (moment - day).count();
  char text[] = "0000-00-00T00:00:00.000Z";
  put(text, 4, static_cast<int>(date.year()));
  put(text + 5, 2, static_cast<unsigned>(date.month()));
  put(text + 8, 2, static_cast<unsigned>(date.day()));
  put(text + 11, 2, in_day / one_hour);
  put(text + 14, 2, in_day / one_minute % 60);
  put(text + 17, 2, in_day / one_second % 60);
  put(text + 20, 3, in_day % one_second);
  out.append(text, sizeof text - 1);
}

std::string to_iso8601(DateTime value) {
  std::string out;
  append_iso8601(out, value);
  return out;
}

std::optional<DateTime> add(DateTime value, std::int64_t days, std::int64_t hours, std::int64_t minutes) {
  std::int64_t sum = value.ms;
  const auto add_units = [&](std::int64_t count, std::int64_t unit) {
    std::int64_t span;
    return !__builtin_mul_overflow(count, unit, &span) && !__builtin_add_overflow(sum, span, &sum);
  };
  if (!add_units(days, one_day) || !add_units(hours, one_hour) || !add_units(minutes, one_minute)) return std::nullopt;
  return within_years(sum);
}

DateTime SystemClock::now() const {
  const auto now = chrono::system_clock::now().time_since_epoch();
  return DateTime{chrono::duration_cast<chrono::milliseconds>(now).count()};
}

std::int64_t SystemClock::steady_ms() const {
  const auto now = chrono::steady_clock::now().time_since_epoch();
  return chrono::duration_cast<chrono::milliseconds>(now).count();
}

}  // namespace callisto
