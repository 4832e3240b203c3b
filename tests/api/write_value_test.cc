// Values of each data type as a body may give them (API rule 4.3).
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
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
                {"3.0", "3"},
                {"\"3\"", "3"},
                {R"({"Ref": 1})", "1"},
                {R"({"Ref": 3.0})", "3"},
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
                {R"({"Ref": 2.5})", ""},
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

TEST_CASE("a lookup's _self is a link to its target, to what that extends or to what extends that") {
  const std::string call = new_call();
  check_values(call, "Impact",
               {{R"({"_self": "api:v1/call-impact/1"})", "1"},
                {R"({"_self": "api:v1.0/Call-Impact/2"})", "2"},
                {R"({"_self": "api:call-impact/3"})", "3"},
                {R"({"_self": "api:v1/CallImpact/1"})", "1"},
                {R"({"Ref": 2, "_self": "api:v1/call-impact/2", "Name": "x"})", "2"},
                {R"({"Ref": 3, "_self": null})", "3"},
                {R"({"Ref": 2, "_self": "api:v1/call-impact/3"})", ""},
                {R"({"Ref": 2, "_self": "api:v1/call-urgency/2"})", ""},
                {R"({"Ref": null, "_self": null})", ""},
                {R"({"_self": "api:v1/call-urgency/2"})", ""},
                {R"({"_self": "https://evil.example/x/2"})", ""},
                {R"({"_self": "https://evil.example/v1/call-impact/2"})", ""},
                {R"({"_self": "garbage/1"})", ""},
                {R"({"_self": "call-impact/1"})", ""},
                {R"({"_self": "api:/call-impact/1"})", ""},
                {R"({"_self": "api:v1/call-impact/"})", ""},
                {R"({"_self": "api:v1/call-impact/x"})", ""},
                {R"({"_self": "api:v1/call-impact/1/"})", ""},
                {R"({"_self": "api:v1/call-impact/1?$select=Name"})", ""},
                {R"({"_self": "api:v1/call-impact/{Impact}"})", ""},
                {R"({"_self": "1"})", ""},
                {R"({"_self": 1})", ""},
                {R"({"_self": {}})", ""}});
  const Reply other = put(call, R"({"User": {"_self": "api:v1/organization/3"}})");
  CHECK(other.status == 400);
  CHECK(other["SubStatus"] == "None");
  CHECK(other["Message"] == "User: Lookup of person: a link to a person is expected");
  CHECK(other.errors() == std::set<std::string>{"User"});
  CHECK(put(call, R"({"Impact": {"Ref": 2, "_self": "api:v1/call-impact/3"}})")["Message"] ==
        "Impact: Lookup of call-impact: one key in both Ref and _self is expected");
  check_values(call, "ConfigurationItem",
               {{R"({"_self": "api:v1/configuration-item/103"})", "103"},
                {R"({"_self": "api:v1/asset/102"})", "102"},
                {R"({"_self": "api:v1/asset/3"})", ""},
                {R"({"_self": "api:v1/service/3"})", ""}});
}

TEST_CASE("a mirror and its lookup may not differ") {
  const std::string call = new_call();
  const Reply mirrored = put(call, R"({"UserId": 5})");
  CHECK(mirrored["User"] == "5");
  CHECK(mirrored["UserId"] == "5");
  CHECK(put(call, R"({"UserId": 4, "User": 4})")["User"] == "4");
  for (const char* body : {R"({"UserId": 4, "User": 5})", R"({"User": 5, "UserId": 4})"}) {
    const Reply differ = put(call, body);
    CHECK(differ.status == 400);
    CHECK(differ["Message"] == "UserId: differs from User, which it mirrors");
    CHECK(differ.errors() == std::set<std::string>{"UserId"});
  }
  CHECK(put(call, R"({"User": 4, "UserId": 4})")["UserId"] == "4");
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
                {"1e3", "1000.00"},
                {"15E-1", "1.50"},
                {"1e-3", ""},
                {"1e400", ""},
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
                {"5.0", "5"},
                {"2e1", "20"},
                {"1e10", ""},
                {"2147483648", ""},
                {"-2147483649", ""},
                {"1.5", ""},
                {"99999999999999999999", ""},
                {"\"1\"", ""}});
  check_values(call, "Number1",
               {{"0.1", "0.1"}, {"-2.5e3", "-2500"}, {"1e-400", "0"}, {"-1e-400", "0"}, {"1e400", ""}, {"\"1\"", ""}});
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

TEST_CASE("what GET shows of a lookup to another type than its target's can be sent as it is") {
  const Reply incident = desk().done("analyst", "POST", "incident", R"({"ShortDescription": "x"})");
  const Reply link = desk().done("admin", "POST", "cmdb-link", R"({"Type": 1, "Parent": 3, "Child": 103})");
  const Reply approval = desk().done("admin", "POST", "approval", R"({"Title": "x", "Call": )" + incident["Ref"] + "}");
  const Reply task = desk().done("admin", "POST", "task", R"({"Title": "x", "Request": 20, "Predecessor": 1})");
  struct Shown {
    std::string path, lookup, select, self;
  };
  for (const auto& [path, lookup, select, self] :
       std::vector<Shown>{{"approval/" + approval["Ref"], "Call", "Call.Ref,Call.Name", "incident/" + incident["Ref"]},
                          {"task/" + task["Ref"], "Predecessor", "Predecessor.Title", "approval/1"}}) {
    const Reply read = desk().get("admin", path, {{"$select", select}});
    INFO(path << ": " << read.raw);
    REQUIRE(read.body.find(lookup));
    CHECK(text_of(*read.body.find(lookup), "_self") == "api:v1/" + self);
    const Reply same = desk().send("admin", "PUT", path, read.raw);
    INFO(same.raw);
    CHECK(same.status == 200);
    CHECK(same[lookup] == self.substr(self.find('/') + 1));
  }
  const Reply shown =
      desk().get("admin", "cmdb-link/" + link["Ref"], {{"$select", "Type.Name,Parent.Name,Child.Name"}});
  INFO(shown.raw);
  REQUIRE(shown.body.find("Child"));
  CHECK(text_of(*shown.body.find("Parent"), "_self") == "api:v1/service/3");
  CHECK(text_of(*shown.body.find("Child"), "_self") == "api:v1/configuration-item/103");
  const Reply again = desk().send("admin", "POST", "cmdb-link", shown.raw);
  INFO(again.raw);
  CHECK(again.status == 200);
  CHECK(again["Child"] == "103");
}
