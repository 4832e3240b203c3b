// POST {entity}/$batch (decision 0050): many records by one request, by the rules of each.
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

Reply batch(std::string_view login, const std::string& entity, const std::string& body,
            const std::string& header = "X-None: 1") {
  const Reply reply = desk().send(login, "POST", entity + "/$batch", body, {"Content-Type: application/json", header});
  UNSCOPED_INFO(login << ": " << entity << "/$batch " << body.substr(0, 200) << " -> " << reply.status << " "
                      << reply.raw.substr(0, 400));
  return reply;
}

std::string number_of(const std::string& filter, const std::string& entity = "incident") {
  return desk().get("admin", entity, {{"$filter", filter}, {"$count", "true"}}).raw;
}

std::string titled(const std::string& title) {
  return R"({"ShortDescription": ")" + title + R"(", "Impact": 2, "Urgency": 2})";
}

std::vector<std::string> refs_of(const Reply& reply) {
  std::vector<std::string> refs;
  for (const json::Node& each : reply.body.find("results")->items()) refs.push_back(text_of(each, "Ref"));
  return refs;
}

}  // namespace

TEST_CASE("a batch makes and changes records in one go, with history, and answers in their order") {
  const Reply made = batch("analyst", "incident", "[" + titled("batch a") + "," + titled("batch b") + "]");
  REQUIRE(made.status == 200);
  const auto refs = refs_of(made);
  REQUIRE(refs.size() == 2);
  const Reply both = batch("analyst", "incident",
                           R"({"Atomic": true, "Records": [{"Ref": )" + refs[1] +
                               R"(, "ShortDescription": "changed"},)" + titled("batch c") + "]}");
  REQUIRE(both.status == 200);
  CHECK(both["Succeeded"] == "2");
  CHECK(refs_of(both)[0] == refs[1]);
  CHECK(desk().get("admin", "incident/" + refs[1])["ShortDescription"] == "changed");
  CHECK(desk().get("admin", "incident/" + refs[0])["ShortDescription"] == "batch a");
  CHECK(number_of("TicketId == " + refs[1], "call-history") != "0");
}

TEST_CASE("an atomic batch lands whole or not at all, and names the record that was refused") {
  const Reply refused =
      batch("analyst", "incident",
            "[" + titled("whole") + R"(, {"ShortDescription": "whole", "Impact": "high"}, )" + titled("whole") + "]");
  CHECK(refused.status == 400);
  CHECK(refused["Message"].starts_with("Records[1]: "));
  CHECK(refused.errors() == std::set<std::string>{"Records[1].Impact"});
  CHECK(number_of("ShortDescription == \"whole\"") == "0");
}

TEST_CASE("records that stand alone land where they may; each that does not says why, as it would alone") {
  const std::string bad = R"({"ShortDescription": "alone", "Impact": "high"})";
  const Reply reply = batch("analyst", "incident",
                            R"({"Atomic": false, "Records": [)" + titled("alone") + "," + bad +
                                R"(,{"Ref": 99999999},)" + titled("alone") + "]}");
  REQUIRE(reply.status == 200);
  CHECK(reply["Succeeded"] == "2");
  CHECK(reply["Failed"] == "2");
  const auto& results = reply.body.find("results")->items();
  REQUIRE(results.size() == 4);
  const Reply alone = desk().send("analyst", "POST", "incident", bad);
  CHECK(text_of(results[1], "Status") == std::to_string(alone.status));
  CHECK(text_of(*results[1].find("Error"), "Message") == alone["Message"]);
  CHECK(text_of(results[2], "Status") == "404");
  CHECK(number_of("ShortDescription == \"alone\"") == "2");
}

TEST_CASE("a record of a batch is as its version says, or it is refused") {
  const std::string ref = refs_of(batch("analyst", "incident", "[" + titled("versions") + "]"))[0];
  const Reply read = desk().get("analyst", "incident/" + ref);
  const std::string tag = read.headers.at("etag");
  std::string quoted;
  for (const char c : tag) quoted += c == '"' ? std::string("\\\"") : std::string(1, c);
  const auto change = [&](const std::string& title) {
    return batch(
        "analyst", "incident",
        R"([{"Ref": )" + ref + R"(, "_ifMatch": ")" + quoted + R"(", "ShortDescription": ")" + title + R"("}])");
  };
  CHECK(change("first").status == 200);
  const Reply late = change("second");
  CHECK(late.status == 400);
  CHECK(late["Message"].find("changed since you read it") != std::string::npos);
  CHECK(desk().get("admin", "incident/" + ref)["ShortDescription"] == "first");
}

TEST_CASE("a batch that is sent again by its key makes nothing again") {
  for (const std::string atomic : {"true", "false"}) {
    const std::string title = "again " + atomic, key = "Idempotency-Key: batch-" + atomic;
    const std::string body =
        R"({"Atomic": )" + atomic + R"(, "Records": [)" + titled(title) + "," + titled(title) + "]}";
    const auto first = refs_of(batch("analyst", "incident", body, key));
    CHECK(refs_of(batch("analyst", "incident", body, key)) == first);
    CHECK(number_of("ShortDescription == \"" + title + "\"") == "2");
    CHECK(batch("analyst", "incident", "[" + titled(title) + "]", key).status == 400);
  }
}

TEST_CASE("a batch keeps to the session's rights, record by record") {
  const std::string ref = refs_of(batch("analyst", "incident", "[" + titled("rights") + "]"))[0];
  const std::string change = R"([{"Ref": )" + ref + R"(, "ShortDescription": "taken"}])";
  const int alone = desk().send("user2", "PUT", "incident/" + ref, R"({"ShortDescription": "taken"})").status;
  REQUIRE(alone >= 400);
  CHECK(batch("user2", "incident", change).status == alone);
  const Reply each = batch("user2", "incident", R"({"Atomic": false, "Records": )" + change + "}");
  REQUIRE(each.status == 200);
  CHECK(text_of(each.body.find("results")->items()[0], "Status") == std::to_string(alone));
  CHECK(desk().get("admin", "incident/" + ref)["ShortDescription"] == "rights");
  CHECK(batch("user", "person", R"([{"Login": "mallory"}])").status ==
        desk().send("user", "POST", "person", R"({"Login": "mallory"})").status);
}

TEST_CASE("what is no batch is refused before anything is written") {
  const struct {
    std::string body, words;
  } cases[] = {{"", "at least one record"},
               {"[]", "at least one record"},
               {"{}", "at least one record"},
               {"7", "at least one record"},
               {R"({"Records": {}})", "'Records'"},
               {R"({"Records": [{}], "atomic": true})", "'atomic'"},
               {R"({"Records": [{}], "Atomic": "yes"})", "'Atomic'"},
               {"[7]", "Records[0]"},
               {R"([{"Ref": "7"}])", "whole number"},
               {R"([{"Ref": 7.5}])", "whole number"},
               {R"([{"_ifMatch": 7, "Ref": 1}])", "_ifMatch"},
               {R"([{"_ifMatch": "7"}])", "_ifMatch"},
               {"[" + std::string(3000, '[') + "]", ""}};
  for (const auto& each : cases) {
    INFO(each.body.substr(0, 60));
    const Reply reply = batch("admin", "incident", each.body);
    CHECK(reply.status == 400);
    CHECK(reply["Message"].find(each.words) != std::string::npos);
  }
  std::string many = "[{}";
  for (int i = 0; i < 1000; ++i) many += ",{}";
  const Reply reply = batch("admin", "incident", many + "]");
  CHECK(reply.status == 400);
  CHECK(reply["Message"].find("1001") != std::string::npos);
  CHECK(batch("admin", "call-state", "[{}]").status >= 400);
  CHECK(desk().send("admin", "POST", "incident/$batch?$select=Ref", "[{}]").status == 400);
  CHECK(desk().send("admin", "GET", "incident/$batch").status == 405);
  CHECK(desk().send("admin", "GET", "incident/$batch").headers.at("allow") == "OPTIONS, POST");
  CHECK(desk().send("admin", "POST", "incident/$batch", "[{}]", {"Content-Type: text/plain"}).status == 415);
}

TEST_CASE("a thousand records land in one batch") {
  std::string body = "[" + titled("thousand");
  for (int i = 1; i < 1000; ++i) body += "," + titled("thousand");
  const Reply reply = batch("analyst", "incident", body + "]");
  REQUIRE(reply.status == 200);
  CHECK(reply["Succeeded"] == "1000");
  CHECK(number_of("ShortDescription == \"thousand\"") == "1000");
}
