// Values of each data type as a body may give them (decisions.md 4.3).
#include "desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static const Desk desk;
  return desk;
}

// A call of its own for a test: the url below v1.
std::string new_call() {
  return "call/" + desk().done("analyst", "POST", "call", R"({"ShortDescription": "x"})")["Ref"];
}

Reply put(const std::string& path, std::string_view body) { return desk().send("analyst", "PUT", path, body); }

std::string quoted(const std::string& text) { return '"' + text + '"'; }

std::string one(std::string_view name, std::string_view value) {
  return "{\"" + std::string(name) + "\": " + std::string(value) + "}";
}

struct Given {
  std::string value;  // as JSON
  std::string kept;   // what the answer shows, "" where it is refused
};

void check_values(const std::string& path, std::string_view property, const std::vector<Given>& values) {
  for (const auto& [value, kept] : values) {
    const Reply reply = put(path, one(property, value));
    INFO(property << " = " << value << " -> " << reply.status << " " << reply.raw.substr(0, 300));
    if (kept.empty()) {
      CHECK(reply.status == 400);
      CHECK(reply.raw.find("\"Message\"") != std::string::npos);
    } else {
      CHECK(reply.status == 200);
      CHECK(reply[property] == kept);
    }
  }
}

std::string repeated(std::string_view text, int times) {
  std::string result;
  for (int i = 0; i < times; ++i) result += text;
  return result;
}

}  // namespace

TEST_CASE("a lookup is a key, a numeric string, or an object with Ref or _self") {
  const std::string call = new_call();
  check_values(call, "Priority",
               {{"2", "2"},
                {"\"3\"", "3"},
                {R"({"Ref": 1})", "1"},
                {R"({"_self": "api:v1/call-priority/4"})", "4"},
                {R"({"Ref": 2, "Name": "High", "_context": "x"})", "2"},
                {"null", "null"},
                {"2.5", ""},
                {"\"x\"", ""},
                {"\"\"", ""},
                {"true", ""},
                {"[2]", ""},
                {R"({"Name": "High"})", ""},
                {R"({"Ref": "x"})", ""},
                {"1e99", ""}});
  const Reply missing = put(call, R"({"Priority": 99})");
  CHECK(missing.status == 400);
  CHECK(missing["SubStatus"] == "LinkedRecordNotFound");
  CHECK(missing["Type"] == "LinkedRecordNotFoundException");
  const std::string hidden =
      desk().refs("admin", "configuration-item", {{"$filter", "Partition == 2"}, {"$top", "1"}}).front();
  const Reply invisible = put(call, one("ConfigurationItem", hidden));
  CHECK(invisible["SubStatus"] == "LinkedRecordNotFound");
  CHECK(put(call + "/forward", R"({"ReceivingAnalyst": 999})")["SubStatus"] == "LinkedRecordNotFound");
}

TEST_CASE("a mirror and its lookup may not differ") {
  const std::string call = new_call();
  const Reply mirrored = put(call, R"({"UserId": 5})");
  CHECK(mirrored["User"] == "5");
  CHECK(mirrored["UserId"] == "5");
  CHECK(put(call, R"({"UserId": 4, "User": 4})")["User"] == "4");
  CHECK(put(call, R"({"UserId": 4, "User": 5})").status == 400);
  CHECK(put(call, R"({"UserId": 999})")["SubStatus"] == "LinkedRecordNotFound");
}

TEST_CASE("a Boolean is true, false or a flag") {
  const std::string call = new_call();
  std::vector<Given> flags{{"true", "true"}, {"false", "false"}, {"null", "null"},
                           {"\"x\"", ""},    {"\"\"", ""},       {"{}", ""}};
  for (const char* yes : {"Y", "YES", "T", "TRUE", "ON", "1", "P", "A", "y", "Yes", "on"})
    flags.push_back({quoted(yes), "true"});
  for (const char* no : {"N", "NO", "F", "FALSE", "OFF", "0", "n", "No", "off"}) flags.push_back({quoted(no), "false"});
  check_values(call, "Checkbox1", flags);
  CHECK(desk().done("analyst", "PUT", call, R"({"Checkbox1": "yes"})")["Checkbox1"] == "true");
  const std::string key = call.substr(5);
  CHECK(desk().refs("analyst", "call", {{"$filter", "Checkbox1 && Ref == " + key}}).size() == 1);
}

TEST_CASE("a DateTime is ISO 8601, kept in UTC with milliseconds") {
  check_values(new_call(), "Time1",
               {{"\"2026-01-02T03:04:05Z\"", "2026-01-02T03:04:05.000Z"},
                {"\"2026-01-02T03:04:05.678+01:00\"", "2026-01-02T02:04:05.678Z"},
                {"\"2026-02-28T23:30:00-01:00\"", "2026-03-01T00:30:00.000Z"},
                {"\"2024-02-29T00:00:00Z\"", "2024-02-29T00:00:00.000Z"},
                {"\"2026-02-29T00:00:00Z\"", ""},
                {"\"2026-13-01T00:00:00Z\"", ""},
                {"\"2026-01-01T25:00:00Z\"", ""},
                {"\"soon\"", ""},
                {"\"\"", ""},
                {"5", ""},
                {"true", ""}});
}

TEST_CASE("numbers keep their digits and stay in range") {
  check_values("configuration-item/104", "PurchaseCost",
               {{"9007199254740993", "9007199254740993.00"},
                {"1219.50", "1219.50"},
                {"0.1", "0.10"},
                {"-0.01", "-0.01"},
                {"7.000", "7.00"},
                {"92233720368547758.07", "92233720368547758.07"},
                {"92233720368547758.08", ""},
                {"1219.505", ""},
                {"\"5\"", ""},
                {"true", ""}});
  const std::string call = new_call();
  check_values(call, "IpkStatus",
               {{"2147483647", "2147483647"},
                {"-2147483648", "-2147483648"},
                {"0", "0"},
                {"2147483648", ""},
                {"-2147483649", ""},
                {"1.5", ""},
                {"99999999999999999999", ""},
                {"\"1\"", ""}});
  check_values(call, "Number1", {{"0.1", "0.1"}, {"-2.5e3", "-2500"}, {"1e400", ""}, {"\"1\"", ""}});
  check_values("service/4", "Criticality", {{"32767", "32767"}, {"32768", ""}, {"-32769", ""}});
}

TEST_CASE("a text has a length in characters, no NUL, and capitals where they are due") {
  const std::string call = new_call();
  for (const char* letter : {"x", "\xc3\xa9", "\xe2\x82\xac", "\xf0\x9f\x98\x80"}) {
    CHECK(put(call, one("Name", quoted(repeated(letter, 80))))["Name"] == repeated(letter, 80));
    CHECK(put(call, one("Name", quoted(repeated(letter, 81)))).status == 400);
  }
  check_values(call, "Name",
               {{"\"a\\u0000b\"", ""},
                {"\"\\ud83d\\ude00\"", "\xf0\x9f\x98\x80"},
                {"\"\\ud83d\"", ""},
                {"5", ""},
                {"{}", ""},
                {"\"a\\nb\"", "a\nb"}});
  CHECK(put(call, R"({"Name": ""})")["Name"] == "");
  CHECK(put("configuration-item/105", R"({"SerialNumber": "ab-é1"})")["SerialNumber"] ==
        "AB-\xc3\x89"
        "1");
}

TEST_CASE("what GET shows of a lookup can be sent as it is, and so can a selected one") {
  const std::string call = new_call();
  put(call, R"({"Priority": 3})");
  const Reply read = desk().get("analyst", call, {{"$select", "Priority.Name"}});
  INFO(read.raw);
  CHECK(put(call, read.raw)["Priority"] == "3");
}
