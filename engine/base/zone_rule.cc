#include "engine/base/zone_rule.h"

#include <chrono>

namespace callisto {

namespace {

namespace chrono = std::chrono;

constexpr std::int64_t one_day = 86400;

// Takes what it names off the front of a text; what does not stand there makes it fail for good.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  bool failed() const { return failed_; }
  bool at_end() const { return text_.empty(); }
  bool starts_with(char c) const { return text_.starts_with(c); }

  bool take(char c) {
    if (!starts_with(c)) return false;
    text_.remove_prefix(1);
    return true;
  }
  void expect(char c) { failed_ = failed_ || !take(c); }

  std::int64_t number(std::int64_t least, std::int64_t most) {
    std::int64_t number = -1;
    while (is_digit() && number <= most) number = (number < 0 ? 0 : number * 10) + digit();
    failed_ = failed_ || number < least || number > most;
    return number;
  }

  // Three letters or more, or anything of letters, digits and signs between < and >.
  void name() {
    const bool is_quoted = take('<');
    std::size_t size = 0;
    while (size < text_.size() && belongs_to_name(text_[size], is_quoted)) ++size;
    failed_ = failed_ || size < (is_quoted ? 1 : 3);
    text_.remove_prefix(size);
    if (is_quoted) expect('>');
  }

  // [+-]hh[:mm[:ss]]
  std::int64_t seconds(std::int64_t most_hours) {
    const bool is_negative = take('-');
    if (!is_negative) take('+');
    std::int64_t seconds = number(0, most_hours) * 3600;
    if (take(':')) seconds += number(0, 59) * 60;
    if (take(':')) seconds += number(0, 59);
    return is_negative ? -seconds : seconds;
  }

  ZoneRule::Day day() {
    ZoneRule::Day day;
    if (take('M')) {
      day.month = static_cast<unsigned>(number(1, 12));
      expect('.');
      day.week = static_cast<unsigned>(number(1, 5));
      expect('.');
      day.day = static_cast<unsigned>(number(0, 6));
    } else {
      day.form = take('J') ? ZoneRule::Day::Form::NoLeapDay : ZoneRule::Day::Form::FromZero;
      day.day = static_cast<unsigned>(day.form == ZoneRule::Day::Form::FromZero ? number(0, 365) : number(1, 365));
    }
    day.time = take('/') ? seconds(167) : 2 * 3600;
    return day;
  }

 private:
  bool is_digit() const { return !text_.empty() && text_[0] >= '0' && text_[0] <= '9'; }
  int digit() {
    const int digit = text_[0] - '0';
    text_.remove_prefix(1);
    return digit;
  }
  static bool belongs_to_name(char c, bool is_quoted) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    return is_letter || (is_quoted && ((c >= '0' && c <= '9') || c == '+' || c == '-'));
  }

  std::string_view text_;
  bool failed_ = false;
};

}  // namespace

std::int64_t ZoneRule::Day::wall_in(int year) const {
  const chrono::year in(year);
  chrono::sys_days date = in / 1 / 1;
  if (form == Form::Weekday) {
    const chrono::weekday weekday(day);
    date = week == 5 ? chrono::sys_days(in / chrono::month(month) / weekday[chrono::last])
                     : chrono::sys_days(in / chrono::month(month) / weekday[week]);
  } else {
    const bool is_behind_leap_day = form == Form::NoLeapDay && day > 59 && in.is_leap();
    date += chrono::days(day) - chrono::days(form == Form::NoLeapDay && !is_behind_leap_day ? 1 : 0);
  }
  return date.time_since_epoch().count() * one_day + time;
}

std::optional<ZoneRule> read_zone_rule(std::string_view text) {
  Reader in(text);
  ZoneRule rule;
  in.name();
  rule.offset = -in.seconds(24);  // POSIX counts westward
  if (!in.failed() && !in.at_end()) {
    ZoneRule::Summer summer{rule.offset + 3600, {}, {}};
    in.name();
    if (!in.at_end() && !in.starts_with(',')) summer.offset = -in.seconds(24);
    Reader united_states(",M3.2.0,M11.1.0");  // what the C library takes where no days are told
    Reader& days = in.at_end() ? united_states : in;
    days.expect(',');
    summer.begin = days.day();
    days.expect(',');
    summer.end = days.day();
    rule.summer = summer;
  }
  if (in.failed() || !in.at_end()) return std::nullopt;
  return rule;
}

}  // namespace callisto
