// Working time: by hand over nights, holidays and changes of summer time, and, minute by minute, as a slow count says.
#include "engine/base/working_calendar.h"

#include <catch2/catch.hpp>

#include <random>

using namespace callisto;

namespace {

constexpr std::int64_t one_minute = 60'000, one_hour = 60 * one_minute;

DateTime at(const char* text) { return *parse_iso8601(text); }

std::vector<WorkingCalendar::Span> hours(std::string_view text) {
  auto spans = parse_hours(text);
  REQUIRE(spans);
  return *spans;
}

WorkingCalendar office(const char* zone = "Europe/Vienna", std::set<WorkingCalendar::Holiday> holidays = {}) {
  WorkingCalendar::Week week;
  for (std::size_t day = 0; day < 5; ++day) week[day] = hours("09:00-17:00");
  return {*TimeZone::named(zone), week, holidays};
}

WorkingCalendar round_the_clock(const char* zone) {
  WorkingCalendar::Week week;
  for (auto& day : week) day = hours("00:00-24:00");
  return {*TimeZone::named(zone), week, {}};
}

// Whether the wall shows a working minute at that moment.
bool is_working(const TimeZone& zone, const WorkingCalendar::Week& week, std::int64_t utc) {
  const std::int64_t wall = utc + zone.offset_at(utc), day = wall / 86400;
  for (const auto& span : week[static_cast<std::size_t>((day + 3) % 7)])
    if (wall % 86400 >= span.begin && wall % 86400 < span.end) return true;
  return false;
}

}  // namespace

TEST_CASE("working time goes over nights, weekends and holidays") {
  const WorkingCalendar calendar = office("Europe/Vienna", {{2026, 12, 25}, {std::nullopt, 12, 8}});
  // Friday 2026-12-04, 16:00 in Vienna is 15:00Z; Tuesday the 8th is a holiday of each year.
  CHECK(calendar.add_working(at("2026-12-04T15:00:00Z"), 4 * one_hour) == at("2026-12-07T11:00:00Z"));
  CHECK(calendar.add_working(at("2026-12-07T15:00:00Z"), 2 * one_hour) == at("2026-12-09T09:00:00Z"));
  CHECK(calendar.add_working(at("2026-12-24T15:30:00Z"), one_hour) == at("2026-12-28T08:30:00Z"));
  CHECK(calendar.working_between(at("2026-12-04T15:00:00Z"), at("2026-12-09T09:00:00Z")) == 10 * one_hour);
  CHECK(calendar.working_between(at("2026-12-09T09:00:00Z"), at("2026-12-04T15:00:00Z")) == -10 * one_hour);
  CHECK(calendar.working_between(at("2026-12-05T00:00:00Z"), at("2026-12-06T12:00:00Z")) == 0);
}

TEST_CASE("a whole day ends with the day, backwards it begins with it, and nothing changes nothing") {
  const WorkingCalendar calendar = office();
  CHECK(calendar.add_working(at("2026-12-01T08:00:00Z"), 8 * one_hour) == at("2026-12-01T16:00:00Z"));
  CHECK(calendar.add_working(at("2026-12-02T08:00:00Z"), -one_hour) == at("2026-12-01T15:00:00Z"));
  CHECK(calendar.add_working(at("2026-12-01T16:00:00Z"), -8 * one_hour) == at("2026-12-01T08:00:00Z"));
  CHECK(calendar.add_working(at("2026-12-05T03:04:05Z"), 0) == at("2026-12-05T03:04:05Z"));
  CHECK(calendar.add_working(at("2026-12-05T03:04:05Z"), 1) == DateTime{at("2026-12-07T08:00:00Z").ms + 1});
}

TEST_CASE("hours are those on the wall, whatever the zone and its summer time") {
  // In Vienna the clock went from 2 to 3 on 2026-03-29, and goes back on 2026-10-25.
  CHECK(office().add_working(at("2026-03-27T15:00:00Z"), 2 * one_hour) == at("2026-03-30T08:00:00Z"));
  CHECK(office().add_working(at("2026-10-23T14:00:00Z"), 2 * one_hour) == at("2026-10-26T09:00:00Z"));
  CHECK(office("America/New_York").working_between(at("2026-03-06T21:00:00Z"), at("2026-03-09T14:00:00Z")) ==
        2 * one_hour);
  CHECK(round_the_clock("Europe/Vienna").working_between(at("2026-03-28T23:00:00Z"), at("2026-03-29T22:00:00Z")) ==
        23 * one_hour);
  CHECK(round_the_clock("Europe/Vienna").working_between(at("2026-10-24T22:00:00Z"), at("2026-10-25T23:00:00Z")) ==
        25 * one_hour);
}

TEST_CASE("a count minute by minute says the same, in every zone and season") {
  std::mt19937 dice(7);
  const auto below = [&](std::int64_t most) { return static_cast<std::int64_t>(dice() % static_cast<unsigned>(most)); };
  for (const char* name : {"Europe/Vienna", "America/New_York", "Australia/Lord_Howe", "America/Havana", "Asia/Kolkata",
                           "Pacific/Apia", "UTC"}) {
    const TimeZone zone = *TimeZone::named(name);
    WorkingCalendar::Week week;
    for (auto& day : week)
      if (below(7) > 0) day = hours(below(2) == 0 ? "00:00-03:30, 03:45-24:00" : "08:30-12:00, 13:00-17:15");
    week[2] = hours("00:00-24:00");
    const WorkingCalendar calendar(zone, week, {});
    for (int turn = 0; turn < 40; ++turn) {
      const std::int64_t from = at("2011-01-01T00:00:00Z").ms / 1000 / 60 * 60 + below(10 * 365 * 1440) * 60;
      const std::int64_t to = from + below(9 * 1440) * 60;
      std::int64_t counted = 0;
      for (std::int64_t utc = from; utc < to; utc += 60) counted += is_working(zone, week, utc) ? one_minute : 0;
      INFO(name << " from " << from << " to " << to);
      const auto between = calendar.working_between({from * 1000}, {to * 1000});
      // An hour that the wall shows twice is one that is worked twice only where the hours go on over it.
      REQUIRE(between);
      CHECK(std::abs(*between - counted) <= one_hour);
      const auto back = calendar.add_working({from * 1000}, *between);
      REQUIRE(back);
      CHECK(calendar.working_between({from * 1000}, *back) == *between);
      CHECK(back->ms <= to * 1000);
    }
  }
}

TEST_CASE("beyond its years a calendar knows nothing") {
  CHECK_FALSE(office().add_working(at("1989-12-31T12:00:00Z"), one_hour));
  CHECK_FALSE(office().add_working(at("2099-12-31T12:00:00Z"), 1000 * one_hour));
  CHECK_FALSE(office().working_between(at("2026-01-01T00:00:00Z"), at("2150-01-01T00:00:00Z")));
}

TEST_CASE("hours and holidays that cannot be are told with what is expected") {
  for (const char* wrong : {"", "9-17", "09:00", "09:00-25:00", "17:00-09:00", "09:00-12:00,11:00-13:00", "09:60-10:00",
                            "13:00-17:00, 09:00-12:00", "09:00-09:00", "24:00-24:00"}) {
    INFO(wrong);
    const auto spans = parse_hours(wrong);
    REQUIRE_FALSE(spans);
    CHECK(spans.error().message.find("09:00-17:00") != std::string::npos);
  }
  for (const char* wrong :
       {"", "2026-13-01", "2025-02-29", "25.12.2026", "2026-12", "2026-12-25-1", "13-01", "christmas"})
    CHECK_FALSE(parse_holiday(wrong));
  CHECK(parse_holiday("02-29")->month == 2);
  CHECK(parse_holiday("2026-12-25")->year == 2026);
}
