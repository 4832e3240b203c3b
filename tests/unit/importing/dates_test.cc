#include "engine/importing/read/dates.h"

#include "engine/base/datetime.h"

#include <catch2/catch.hpp>

namespace callisto::importing {
namespace {

std::string read(const std::string& form, const std::string& zone, std::string_view text) {
  const auto moment = DateReader(form, *TimeZone::named(zone)).read(text);
  return moment ? to_iso8601(*moment) : "none";
}

}  // namespace

TEST_CASE("moments in the form of a map") {
  const std::string form = "%d/%m/%Y %H:%M";
  CHECK(read(form, "UTC", "29/2/2016 01:16") == "2016-02-29T01:16:00.000Z");
  CHECK(read(form, "UTC", "1/1/2016 1:1") == "2016-01-01T01:01:00.000Z");
  CHECK(read(form, "+02:00", "1/1/2016 01:00") == "2015-12-31T23:00:00.000Z");
  for (const char* wrong : {"29/2/2015 01:16", "31/4/2016 00:00", "0/1/2016 00:00", "1/13/2016 00:00", "1/1/2016 24:01",
                            "1/1/2016 00:60", "1/1/16 00:00", "1/1/2016", "1/1/2016 00:00 ", " 1/1/2016 00:00",
                            "1-1-2016 00:00", "001/1/2016 00:00", "1/1/2016 00:00Z", "-1/1/2016 00:00", "", "?"}) {
    INFO(wrong);
    CHECK(read(form, "UTC", wrong) == "none");
  }
  CHECK(read("%Y%m%d", "UTC", "20160203") == "2016-02-03T00:00:00.000Z");
  CHECK(read("%H.%M.%S on %Y-%m-%d", "UTC", "1.2.3 on 2016-02-03") == "2016-02-03T01:02:03.000Z");
  CHECK(DateReader("%Y-%m-%d %H:%M:%S").expected_instead("x") == "a date such as 2026-12-31 23:59:58");
}

TEST_CASE("moments in ISO 8601") {
  CHECK(read("", "UTC", "2016-02-29T01:16:00") == "2016-02-29T01:16:00.000Z");
  CHECK(read("", "-01:00", "2016-02-29") == "2016-02-29T01:00:00.000Z");
  CHECK(read("", "-01:00", "2016-02-29T01:16:00Z") == "2016-02-29T01:16:00.000Z");
  CHECK(read("", "-01:00", "2016-02-29T01:16:00+02:00") == "2016-02-28T23:16:00.000Z");
  CHECK(read("", "UTC", "2016-02-30") == "none");
  CHECK(read("", "UTC", "29/2/2016 01:16") == "none");
}

TEST_CASE("forms that mean nothing are refused") {
  const auto problem = [](const Result<void>& checked) { return checked ? std::string() : checked.error().message; };
  CHECK(problem(DateReader::check_form("")).empty());
  CHECK(problem(DateReader::check_form("%d.%m.%Y")).empty());
  CHECK(problem(DateReader::check_form("%d.%m")) == "dates '%d.%m' lacks %Y");
  const std::string known = " may hold each of %d %m %Y %H %M %S once, and no other %";
  for (const char* wrong : {"%d/%m/%y", "%d/%m/%Y %d", "%d/%m/%Y%", "%%"})
    CHECK(problem(DateReader::check_form(wrong)) == "dates '" + std::string(wrong) + "'" + known);
}

TEST_CASE("moments of a zone with summer time, and those that no year has") {
  const DateReader reader("%d.%m.%Y %H:%M", *TimeZone::named("Europe/Vienna"));
  const auto at = [&](std::string_view text) { return to_iso8601(reader.read(text).value_or(DateTime{})); };
  CHECK(at("1.7.2016 12:00") == "2016-07-01T10:00:00.000Z");
  CHECK(at("1.1.2016 12:00") == "2016-01-01T11:00:00.000Z");
  CHECK(at("30.10.2016 02:30") == "2016-10-30T00:30:00.000Z");
  CHECK(at("27.3.2016 02:30") == "2016-03-27T01:30:00.000Z");
  CHECK(reader.expected_instead("1.1.0001 00:00") == "a moment in the years 0001 to 9999 of UTC");
  CHECK(reader.expected_instead("1.1.2016") == "a date such as 31.12.2026 23:59");
}

}  // namespace callisto::importing
