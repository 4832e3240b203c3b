#include "engine/base/datetime.h"
#include "engine/base/zoned_time.h"

#include <catch2/catch.hpp>

#include <limits>
#include <string>

namespace callisto {

namespace {

std::string read(std::string_view text, const TimeZone& zone = TimeZone()) {
  const auto moment = parse_iso8601(text, zone);
  return moment ? to_iso8601(*moment) : "refused";
}

constexpr const char* central_europe = "CET-1CEST,M3.5.0,M10.5.0/3";

}  // namespace

TEST_CASE("Dates are read in extended and basic form") {
  CHECK(read("2012-09-03T22:09:02Z") == "2012-09-03T22:09:02.000Z");
  CHECK(read("20120903T220902Z") == "2012-09-03T22:09:02.000Z");
  CHECK(read("2012-09-03t22:09:02z") == "2012-09-03T22:09:02.000Z");
  CHECK(read("2012-09-03T22:09Z") == "2012-09-03T22:09:00.000Z");
  CHECK(read("2012-09-03T22Z") == "2012-09-03T22:00:00.000Z");
  CHECK(read("20120903T2209Z") == "2012-09-03T22:09:00.000Z");
  CHECK(read("2012-02-29T00:00:00Z") == "2012-02-29T00:00:00.000Z");
}

TEST_CASE("A fraction may have any length and is cut at milliseconds") {
  CHECK(read("2012-09-03T22:09:02.5Z") == "2012-09-03T22:09:02.500Z");
  CHECK(read("2012-09-03T22:09:02,25Z") == "2012-09-03T22:09:02.250Z");
  CHECK(read("2012-09-03T22:09:02.9999999Z") == "2012-09-03T22:09:02.999Z");
  CHECK(read("2012-09-03T22:09:02." + std::string(5000, '9') + "Z") == "2012-09-03T22:09:02.999Z");
  CHECK(read("2012-09-03T22:09.5Z") == "2012-09-03T22:09:30.000Z");
  CHECK(read("2012-09-03T22.25Z") == "2012-09-03T22:15:00.000Z");
  CHECK(read("2012-09-03T22:09:02.Z") == "refused");
}

TEST_CASE("Offsets move a date to UTC") {
  CHECK(read("2012-09-03T22:09:02+02:00") == "2012-09-03T20:09:02.000Z");
  CHECK(read("2012-09-03T22:09:02-0330") == "2012-09-04T01:39:02.000Z");
  CHECK(read("2012-09-03T22:09:02+02") == "2012-09-03T20:09:02.000Z");
  CHECK(read("20120903T220902+0200") == "2012-09-03T20:09:02.000Z");
  CHECK(read("2012-09-03T22:09:02+23:59") == "2012-09-02T22:10:02.000Z");
}

TEST_CASE("24:00 is the next midnight and a leap second is the second after") {
  CHECK(read("2012-12-31T24:00:00Z") == "2013-01-01T00:00:00.000Z");
  CHECK(read("2012-12-31T24:00Z") == "2013-01-01T00:00:00.000Z");
  CHECK(read("2012-12-31T24:00:01Z") == "refused");
  CHECK(read("2012-12-31T24:01Z") == "refused");
  CHECK(read("1998-12-31T23:59:60Z") == "1999-01-01T00:00:00.000Z");
  CHECK(read("1998-12-31T15:59:60.123-08:00") == "1999-01-01T00:00:00.123Z");
  CHECK(read("1998-12-31T22:59:60Z") == "refused");
}

TEST_CASE("Years run from 0001 to 9999, in UTC") {
  CHECK(read("0001-01-01T00:00:00Z") == "0001-01-01T00:00:00.000Z");
  CHECK(read("9999-12-31T23:59:59.999Z") == "9999-12-31T23:59:59.999Z");
  CHECK(read("0000-12-31T00:00:00Z") == "refused");
  CHECK(read("9999-12-31T24:00:00Z") == "refused");
  CHECK(read("0001-01-01T00:00:00+01:00") == "refused");
  CHECK(read("9999-12-31T23:59:59-01:00") == "refused");
}

TEST_CASE("Anything else is refused") {
  for (const char* bad : {"",
                          "2012",
                          "2012-09",
                          "2012-13-01",
                          "2012-00-01",
                          "2012-02-30",
                          "2011-02-29",
                          "2012-9-3",
                          "2012-09-03T",
                          "2012-09-03T25:00Z",
                          "2012-09-03T22:60Z",
                          "2012-09-03T22:09:61Z",
                          "2012-09-03T2:09Z",
                          "2012-09-03T22:09:02+25:00",
                          "2012-09-03T22:09:02+02:60",
                          "2012-09-03T22:09:02+2",
                          "2012-09-03T22:09:02+",
                          "2012-09-03T22:09:02Zx",
                          "2012-09-03T22:09:02+02:00 ",
                          " 2012-09-03",
                          "2012-09-03 22:09:02Z",
                          "2012-09-03T22:09:02 02:00",
                          "2012-09-03Z",
                          "2012-0903",
                          "201209-03",
                          "2012-09-03T220902Z",
                          "20120903T22:09:02Z",
                          "2012-09-03T22:0902Z",
                          "2012-W36-1",
                          "2012-247",
                          "2012W361",
                          "+2012-09-03",
                          "-2012-09-03",
                          "12012-09-03",
                          "2012-09-0\xD9\xA3T22:09:02Z",
                          "2012-09-03T22:09:02\xE2\x88\x92"
                          "02:00",
                          "now",
                          "1346710142"}) {
    INFO(bad);
    CHECK_FALSE(parse_iso8601(bad));
  }
  CHECK_FALSE(parse_iso8601(std::string_view("2012-09-03T22:09:02Z\0", 21)));
}

TEST_CASE("Without a zone the server's local time is meant") {
  const TimeZone zone = TimeZone::of_variable(central_europe);
  CHECK(read("2012-01-15T12:00:00", zone) == "2012-01-15T11:00:00.000Z");
  CHECK(read("2012-07-15T12:00:00.250", zone) == "2012-07-15T10:00:00.250Z");
  CHECK(read("2012-07-15", zone) == "2012-07-14T22:00:00.000Z");
  CHECK(read("20120115", zone) == "2012-01-14T23:00:00.000Z");
  CHECK(read("2012-01-15T24:00", zone) == "2012-01-15T23:00:00.000Z");
  CHECK(read("1970-01-01T00:59:59", zone) == "1969-12-31T23:59:59.000Z");
  CHECK(read("1999-01-01T00:59:60", zone) == "1999-01-01T00:00:00.000Z");  // a leap second seen from here
  CHECK(read("1998-12-31T23:59:60", zone) == "refused");
}

TEST_CASE("A time that comes twice is the first, and one that is skipped goes by the offset before") {
  const TimeZone vienna = TimeZone::of_variable("Europe/Vienna"), dublin = TimeZone::of_variable("Europe/Dublin");
  for (int i = 0; i < 2; ++i) {  // whatever was read before
    CHECK(read("2026-07-01T12:00:00", vienna) == "2026-07-01T10:00:00.000Z");
    CHECK(read("2026-10-25T02:30:00", vienna) == "2026-10-25T00:30:00.000Z");
    CHECK(read("2026-01-01T12:00:00", vienna) == "2026-01-01T11:00:00.000Z");
    CHECK(read("2026-10-25T02:30:00.5", vienna) == "2026-10-25T00:30:00.500Z");
    CHECK(read("2026-03-29T02:30:00", vienna) == "2026-03-29T01:30:00.000Z");
    CHECK(read("2026-03-29T01:30:00", dublin) == "2026-03-29T01:30:00.000Z");
  }
  CHECK(read("2011-12-30T12:00", TimeZone::of_variable("Pacific/Apia")) == "2011-12-30T22:00:00.000Z");
}

TEST_CASE("A date of other years is told from a text that is none") {
  const TimeZone vienna = TimeZone::of_variable("Europe/Vienna");
  const std::string years = "a moment in the years 0001 to 9999 of UTC";
  for (const char* text : {"0001-01-01T00:00:00", "0000-12-31T00:00:00Z", "0001-01-01T00:00:00+01:00",
                           "9999-12-31T23:59:59-01:00", "9999-12-31T24:00:00Z"}) {
    INFO(text);
    CHECK(read(text, vienna) == "refused");
    CHECK(expected_instead(text, vienna) == years);
  }
  CHECK(expected_instead("10000-01-01T00:00:00Z") == "an ISO 8601 date");
  CHECK(expected_instead("2026-02-30") == "an ISO 8601 date");
}

TEST_CASE("Writing appends 24 characters and never leaves the form") {
  std::string out = "x";
  append_iso8601(out, DateTime{0});
  CHECK(out == "x1970-01-01T00:00:00.000Z");
  CHECK(to_iso8601(DateTime{-1}) == "1969-12-31T23:59:59.999Z");
  CHECK(to_iso8601(DateTime{1773558300007}) == "2026-03-15T07:05:00.007Z");
  CHECK(to_iso8601(DateTime{std::numeric_limits<std::int64_t>::min()}) == "0001-01-01T00:00:00.000Z");
  CHECK(to_iso8601(DateTime{std::numeric_limits<std::int64_t>::max()}) == "9999-12-31T23:59:59.999Z");
}

TEST_CASE("What is written is read back the same") {
  for (std::int64_t ms = -62135596800000; ms < 253402300800000; ms += 86399999 * 997LL) {
    const auto back = parse_iso8601(to_iso8601(DateTime{ms}));
    REQUIRE(back);
    REQUIRE(back->ms == ms);
  }
}

TEST_CASE("Adding stays within the years or gives nothing") {
  const DateTime start = *parse_iso8601("2012-02-28T23:30:00Z");
  CHECK(to_iso8601(*add(start, 1, 0, 30)) == "2012-03-01T00:00:00.000Z");
  CHECK(to_iso8601(*add(start, -1, -24, 0)) == "2012-02-26T23:30:00.000Z");
  constexpr auto most = std::numeric_limits<std::int64_t>::max();
  CHECK_FALSE(add(start, 4000000, 0, 0));
  CHECK_FALSE(add(start, most, 0, 0));
  CHECK_FALSE(add(start, 0, -most, 0));
  CHECK_FALSE(add(start, 0, 0, most));
}

TEST_CASE("The steady clock does not go back") {
  const SystemClock clock;
  const std::int64_t before = clock.steady_ms();
  CHECK(clock.steady_ms() >= before);
  CHECK(clock.now() > *parse_iso8601("2024-01-01T00:00:00Z"));
}

}  // namespace callisto
