#include "engine/base/time_zone.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

namespace callisto {

namespace {

constexpr std::int64_t one_hour = 3600;
constexpr std::int64_t one_day = 24 * one_hour;
constexpr std::int64_t one_year = 365 * one_day + 6 * one_hour;

// The C library's reading of the same zone: it turns UTC into local time, whose reverse is what is tested here.
class CLibrary {
 public:
  explicit CLibrary(const std::string& zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    ::setenv("TZ", zone.c_str(), 1);
    ::tzset();
  }
  ~CLibrary() {
    if (before_) ::setenv("TZ", before_->c_str(), 1);
    else ::unsetenv("TZ");
    ::tzset();
  }

  std::int64_t offset_at(std::int64_t utc) const {
    std::tm local{};
    const std::time_t time = utc;
    ::localtime_r(&time, &local);
    return local.tm_gmtoff;
  }

  // The moments at which the offset changes, at most one of them found between two looks.
  std::vector<std::int64_t> changes(std::int64_t from, std::int64_t to, std::int64_t step) const {
    std::vector<std::int64_t> found;
    for (std::int64_t at = from; at < to; at += step) {
      std::int64_t before = at, after = at + step;
      if (offset_at(before) == offset_at(after)) continue;
      while (after - before > 1) {
        const std::int64_t middle = before + (after - before) / 2;
        (offset_at(middle) == offset_at(at) ? before : after) = middle;
      }
      found.push_back(after);
    }
    return found;
  }

  // RFC 5545 3.3.5 word by word: of all moments that the wall shows so, the first; where there is none, by the offset
  // before the gap.
  std::int64_t first_at(std::int64_t wall, std::int64_t near) const {
    std::optional<std::int64_t> first;
    for (std::int64_t at = near - 2 * one_day; at <= near + 2 * one_day; at += 6 * one_hour) {
      const std::int64_t utc = wall - offset_at(at);
      if (utc + offset_at(utc) == wall && (!first || utc < *first)) first = utc;
    }
    return first.value_or(wall - offset_at(near - 1));
  }

 private:
  std::optional<std::string> before_;
};

std::vector<std::string> zone_names() {
  std::vector<std::string> names;
  std::ifstream table("/usr/share/zoneinfo/tzdata.zi");
  std::string kind, a, b;
  for (std::string line; std::getline(table, line);) {
    std::istringstream words(line);
    words >> kind >> a >> b;
    if (kind == "Z") names.push_back(a);
    if (kind == "L") names.push_back(b);
  }
  return names;
}

}  // namespace

TEST_CASE("Every zone of the database has the offsets that the C library gives it") {
  const auto names = zone_names();
  REQUIRE(names.size() > 500);
  std::mt19937_64 random(7);
  for (const std::string& name : names) {
    INFO(name);
    const CLibrary library(name);
    const auto zone = TimeZone::named(name);
    REQUIRE(zone);
    std::uniform_int_distribution<std::int64_t> moment(-120 * one_year, 500 * one_year);
    for (int i = 0; i < 200; ++i) {
      const std::int64_t at = moment(random);
      if (zone->offset_at(at) != library.offset_at(at)) {
        CAPTURE(at);
        CHECK(zone->offset_at(at) == library.offset_at(at));
      }
    }
  }
}

TEST_CASE("A local time is the first that the wall shows so, and one that is skipped goes by the offset before") {
  std::vector<std::string> names{"Europe/Vienna",     "Europe/London",     "Europe/Dublin",       "Australia/Lord_Howe",
                                 "Pacific/Apia",      "Africa/Casablanca", "Antarctica/Troll",    "Asia/Kathmandu",
                                 "America/Sao_Paulo", "America/Nuuk",      "America/Mexico_City", "Africa/Monrovia",
                                 "Asia/Pyongyang",    "Pacific/Kwajalein", "Asia/Gaza",           "Antarctica/Casey"};
  const auto all = zone_names();
  for (std::size_t i = 3; i < all.size(); i += 20) names.push_back(all[i]);
  std::size_t tried = 0;
  for (const std::string& name : names) {
    const CLibrary library(name);
    const TimeZone zone = *TimeZone::named(name);
    for (const std::int64_t change : library.changes(-120 * one_year, 90 * one_year, one_year / 9)) {
      const std::int64_t before = library.offset_at(change - 1), after = library.offset_at(change);
      for (const std::int64_t offset : {before, after})
        for (const std::int64_t beside :
             {-one_day, -one_hour, std::int64_t{-1}, std::int64_t{0}, std::int64_t{1}, (after - before) / 2,
              (before - after) / 2, one_hour / 2, one_hour, one_day}) {
          const std::int64_t wall = change + offset + beside;
          const std::int64_t expected = library.first_at(wall, change);
          ++tried;
          if (zone.to_utc(wall) == expected) continue;
          CAPTURE(name, change, before, after, beside, wall);
          CHECK(zone.to_utc(wall) == expected);
        }
    }
  }
  CHECK(tried > 10000);
}

TEST_CASE("A variable may hold a name, a path or a rule of POSIX, and what it does not understand is UTC") {
  for (const char* text :
       {"CET-1CEST,M3.5.0,M10.5.0/3", "IST-1GMT0,M10.5.0,M3.5.0/1", "<-02>2<-01>,M3.5.0/-1,M10.5.0/0",
        "AAA-3:30BBB,J60/2:30:30,J300", "AAA3BBB,59,300/167", "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "UTC0", "XYZ-5",
        ":Asia/Tokyo", "/usr/share/zoneinfo/Asia/Tokyo", "Nowhere/Land", "AB3", ""}) {
    INFO(text);
    const CLibrary library(text);
    const TimeZone zone = TimeZone::of_variable(text);
    for (std::int64_t at = 0; at < 450 * one_year; at += 13 * one_day + 997)
      REQUIRE(zone.offset_at(at) == library.offset_at(at));
    for (const std::int64_t change : library.changes(40 * one_year, 60 * one_year, one_year / 9)) {
      REQUIRE(zone.offset_at(change - 1) == library.offset_at(change - 1));
      REQUIRE(zone.offset_at(change) == library.offset_at(change));
    }
  }
}

TEST_CASE("A rule without days has those of the United States, and half a rule is none") {
  const std::int64_t january = 1767225600, july = january + 181 * one_day;  // of 2026
  const TimeZone zone = TimeZone::of_variable("EST5EDT4");
  CHECK(zone.offset_at(january) == -5 * one_hour);
  CHECK(zone.offset_at(july) == -4 * one_hour);
  for (const char* half : {"CET-1CEST,M3.5", "CET-1CEST,M3.5.0", "CET-1CEST,M13.1.0,M1.1.0", "CET-1<,M3.5.0,M10.5.0"})
    CHECK(TimeZone::of_variable(half).offset_at(july) == 0);
}

TEST_CASE("A zone is named by UTC, an offset or the database's own name, and by nothing else") {
  CHECK(TimeZone::named("UTC")->to_utc(0) == 0);
  CHECK(TimeZone::named("+00:00")->to_utc(0) == 0);
  CHECK(TimeZone::named("-11:30")->to_utc(0) == 11 * one_hour + one_hour / 2);
  CHECK(TimeZone::named("Etc/GMT+5")->to_utc(0) == 5 * one_hour);
  CHECK(TimeZone::named("America/Argentina/Buenos_Aires"));
  for (const char* wrong : {"",
                            "Z",
                            "utc",
                            "Vienna",
                            "europe/vienna",
                            "+1",
                            "+01",
                            "+0100",
                            ".5Z",
                            "+99:00",
                            "01:00",
                            "+24:00",
                            "../zoneinfo/UTC",
                            "Europe/../UTC",
                            "/etc/localtime",
                            "Europe",
                            "tzdata.zi",
                            "CET-1CEST",
                            "Europe/Vienna ",
                            "Europe//Vienna"}) {
    INFO(wrong);
    const auto zone = TimeZone::named(wrong);
    REQUIRE_FALSE(zone);
    CHECK(zone.error().message.find("write an IANA name such as Europe/Vienna") != std::string::npos);
  }
}

}  // namespace callisto
