// What an administrator is shown as another person: the very bytes that the person gets, to read only, and audited.
#include "desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

ServerProcess::Headers viewing(const std::string& as) { return {"Callisto-View-As: " + as}; }

// Ordinary questions of every kind; all their answers depend on who asks.
const std::vector<std::string> questions = {
    "call?$top=20&$orderby=Ref%20desc",
    "call?$filter=Priority%20==%201&$select=Ref,Name,State,Group.Name&$inlinecount=true&$top=5",
    "call/$count",
    "call/$groups?$groupby=State",
    "incident/$metadata",
    "$metadata",
    "webhook",
    "session",
    "person?$top=3",
    "role",
    "call/$rules"};

std::string first_call(const Desk& desk, const std::string& login) {
  const auto refs = desk.refs(login, "call", {{"$top", "1"}, {"$orderby", "Ref"}});
  return refs.empty() ? "1" : refs.front();
}

}  // namespace

TEST_CASE("an administrator sees the bytes that another person gets, and his own before and after") {
  const Desk desk;
  std::size_t differ = 0;
  for (const std::string login : {"analyst", "analyst2", "admin"}) {
    std::vector<std::string> asked = questions;
    const std::string call = "call/" + first_call(desk, login);
    for (const char* below : {"", "/$options", "/history", "/attachment"}) asked.push_back(call + below);
    for (const std::string& question : asked) {
      INFO(login << ": " << question);
      const Reply own = desk.get("admin", question);
      const Reply theirs = desk.get(login, question);
      for (int time = 0; time < 2; ++time) {  // out of whatever cache
        const Reply seen = desk.send("admin", "GET", question, {}, viewing("login=" + login));
        CHECK(seen.status == theirs.status);
        CHECK(seen.raw == theirs.raw);
      }
      CHECK(desk.get("admin", question).raw == own.raw);
      differ += theirs.raw != own.raw;
    }
  }
  CHECK(differ > 10);  // so that it means something
}

TEST_CASE("an ETag of one's own answer is none of what another person sees") {
  const Desk desk;
  const std::string call = "call/" + first_call(desk, "analyst");
  const Reply own = desk.get("admin", call);
  REQUIRE(own.headers.count("etag") == 1);
  const std::string known = "If-None-Match: " + own.headers.at("etag");
  CHECK(desk.send("admin", "GET", call, {}, {known}).status == 304);
  const Reply seen = desk.send("admin", "GET", call, {}, {known, "Callisto-View-As: login=analyst"});
  CHECK((seen.status == 200 || seen.headers.at("etag") == desk.get("analyst", call).headers.at("etag")));
}

TEST_CASE("a person is seen by the session that he may hold, or by the one that is asked for") {
  const Desk desk;
  const auto type_seen = [&desk](const std::string& as) {
    const Reply reply = desk.send("admin", "GET", "$metadata", {}, viewing(as));
    return std::make_pair(reply.status, reply.raw);
  };
  const auto analyst = type_seen("login=analyst"), again = type_seen("login=analyst&type=Analyst");
  CHECK(analyst == again);
  CHECK(analyst.first == 200);
  CHECK(type_seen("login=%61nalyst") == analyst);  // form-encoded
  CHECK(type_seen("login=ANALYST") == analyst);    // as at sign-in
  for (const char* wrong :
       {"analyst", "login=", "login=nobody", "login=analyst&type=Robot", "login=analyst&login=admin",
        "login=analyst&type=User&type=User", "who=analyst", "login=user&type=Analyst", "%"}) {
    INFO(wrong);
    const Reply reply = desk.send("admin", "GET", "call", {}, viewing(wrong));
    CHECK(reply.status == 400);
  }
}

TEST_CASE("nobody without the right views, and nothing is done in the name of another person") {
  const Desk desk;
  CHECK(desk.send("analyst", "GET", "call", {}, viewing("login=admin")).status == 403);
  CHECK(desk.send("analyst", "GET", "call", {}, viewing("login=analyst")).status == 403);
  const std::string count = desk.get("admin", "call/$count").raw;
  const std::string call = "call/" + first_call(desk, "admin");
  const Reply before = desk.get("admin", call);
  for (const char* method : {"POST", "PUT", "DELETE"}) {
    INFO(method);
    const std::string path = std::string(method) == "POST" ? "incident" : call;
    const Reply refused = desk.send("admin", method, path, R"({"ShortDescription":"not mine"})",
                                    {"Content-Type: application/json", "Callisto-View-As: login=analyst"});
    CHECK(refused.status == 403);
    CHECK_THAT(refused["Message"], Catch::Contains("Callisto-View-As"));
  }
  CHECK(desk.get("admin", "call/$count").raw == count);
  CHECK(desk.get("admin", call).raw == before.raw);
  CHECK(desk.send("admin", "GET", "$health", {}, viewing("login=analyst")).status == 403);
  CHECK(desk.send("admin", "POST", "$reload", {}, viewing("login=admin")).status == 403);
}

TEST_CASE("the audit log tells who saw what as whom, and nothing of the person who was seen") {
  const Desk desk;
  const Reply person = desk.get("admin", "person", {{"$filter", "LoginId == \"ANALYST\""}, {"$select", "Ref"}});
  const std::string ref = text_of(person.body.find("results")->items().front(), "Ref");
  desk.send("admin", "GET", "role", {}, viewing("login=analyst"));
  const Reply log = desk.get("admin", "$audit", {{"$top", "20"}});
  const json::Node& line = log.body.find("results")->items().front();
  CHECK(text_of(line, "event") == "viewed-as");
  CHECK(text_of(line, "person") == "1");
  CHECK(text_of(line, "entity") == "person");
  CHECK(text_of(line, "key") == ref);
  CHECK(text_of(line, "action") == "GET /service.api/api/v1/role");
  CHECK(
      desk.get("admin", "$audit", {{"person", ref}, {"event", "action-denied"}}).body.find("results")->items().empty());
  CHECK_FALSE(desk.get("admin", "$audit", {{"event", "viewed-as"}}).body.find("results")->items().empty());
  const Reply sessions = desk.get("admin", "session", {{"$filter", "Person == " + ref}});
  CHECK(sessions.body.find("results")->items().empty());  // no session, and no licence
}
