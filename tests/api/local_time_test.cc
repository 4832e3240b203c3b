// Local times over HTTP: what a moment without a zone means to a server that stands somewhere.
#include "desk.h"
#include "import_desk.h"

#include <catch2/catch.hpp>
#include <cstdlib>

namespace {

using namespace callisto;
using namespace callisto::tests;

// For the programs that are started while it lives.
class Variable {
 public:
  explicit Variable(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    ::setenv("TZ", zone, 1);
  }
  ~Variable() {
    if (before_) ::setenv("TZ", before_->c_str(), 1);
    else ::unsetenv("TZ");
  }

 private:
  std::optional<std::string> before_;
};

}  // namespace

TEST_CASE("a local time that comes twice is the first one, whatever anybody asked before") {
  const Variable zone("Europe/Vienna");
  const Desk desk;
  const std::string call = "call/" + desk.done("analyst", "POST", "call", R"({"ShortDescription": "x"})")["Ref"];
  const auto written = [&](const std::string& text) {
    return desk.done("analyst", "PUT", call, R"({"Time1": ")" + text + R"("})")["Time1"];
  };
  desk.done("analyst", "PUT", call, R"({"Time2": "2026-10-25T00:45:00Z"})");
  std::string blanks;
  for (const char* season : {"2026-07-01T12:00:00", "2026-01-01T12:00:00"}) {
    desk.get("analyst2", "call", {{"$filter", "Time1<@DateTime(" + std::string(season) + ")"}, {"$top", "1"}});
    written(season);
    CHECK(written("2026-10-25T02:30:00") == "2026-10-25T00:30:00.000Z");
    CHECK(written("2026-03-29T02:30:00") == "2026-03-29T01:30:00.000Z");
    blanks += ' ';
    const Query query{{"$filter", "Ref==" + call.substr(5) + blanks + "&& Time2 > @DateTime(2026-10-25T02:30:00)"}};
    CHECK(desk.refs("analyst", "call", query).size() == 1);
  }
  CHECK(written("2026-10-25T02:30:00+01:00") == "2026-10-25T01:30:00.000Z");
  const auto refusal = [&](const std::string& text) {
    return desk.send("analyst", "PUT", call, R"({"Time1": ")" + text + R"("})").raw;
  };
  const std::string years = "a moment in the years 0001 to 9999 of UTC is expected";
  CHECK_THAT(refusal("0001-01-01T00:00:00"), Catch::Contains(years));  // what .NET takes for no date at all
  CHECK_THAT(refusal("9999-12-31T23:59:59-01:00"), Catch::Contains(years));
  CHECK_THAT(refusal("2026-02-30"), Catch::Contains("an ISO 8601 date is expected"));
  CHECK_THAT(refusal("2026-10-25T02:15:00 02:00"), Catch::Contains("an ISO 8601 date is expected"));
  const auto filtered = [&](const std::string& text) {
    return desk.get("analyst", "call", {{"$filter", "Time1==@DateTime(" + text + ")"}, {"$count", "true"}}).raw;
  };
  CHECK(filtered("2026-10-25T02:30:00 01:00") == "1");  // where a '+' arrived as a blank
  CHECK_THAT(filtered("0001-01-01T00:00:00"), Catch::Contains("a moment in the years 0001 to 9999 of UTC"));
}

TEST_CASE("an import reads local times in the zone that its map names, wherever the server stands") {
  const Variable zone("Asia/Tokyo");
  const ImportDesk desk;
  const auto read = [&](const std::string& of, const std::string& csv) {
    desk.import_csv(
        "return import { zone = \"" + of + "\", record \"knowledge\" { Title = \"t\", ReviewDate = \"t\" } }",
        "t,x\n" + csv);
    return desk.rows(Sql("SELECT ReviewDate FROM knowledge ORDER BY Ref DESC LIMIT 1"));
  };
  CHECK(read("America/New_York", "2026-11-01T01:30:00,1\n") == "1793511000000\n");
  CHECK(read("America/New_York", "2026-03-08T02:30:00,2\n") == "1772955000000\n");
  CHECK(read("Australia/Lord_Howe", "2026-04-05T01:45:00,3\n") == "1775313900000\n");
  CHECK(read("Australia/Lord_Howe", "2026-04-05T01:45:00+10:30,4\n") == "1775315700000\n");
  CHECK(read("UTC", "2026-04-05T01:45:00,5\n") == "1775353500000\n");
  CHECK(read("+05:45", "2026-04-05T01:45:00,6\n") == "1775332800000\n");
}
