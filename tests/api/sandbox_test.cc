// The sandbox (API rule 3.17): a sample desk in the server's memory, whose clock an administrator moves. Nothing of it
// reaches the real desk or a receiver.
#include "engine/base/datetime.h"
#include "own_files.h"
#include "webhook_desk.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <optional>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string json_type = "Content-Type: application/json";

// The server's desk, and the sandbox in it as persons find it.
struct Sand {
  explicit Sand(const std::vector<std::string>& arguments = {}) : desk(arguments) {
    desk.done("admin", "POST", "$sandbox");
  }
  Reply send(const std::string& login, const std::string& method, const std::string& path,
             const std::string& body = {}) const {
    return desk.send("admin", method, path, body, {json_type, "Callisto-Sandbox: login=" + login});
  }
  Reply done(const std::string& login, const std::string& method, const std::string& path,
             const std::string& body = {}) const {
    Reply reply = send(login, method, path, body);
    INFO(method << " " << path << " " << reply.raw.substr(0, 500));
    REQUIRE(reply.status == 200);
    return reply;
  }
  json::Node change(const std::string& query) const { return desk.done("admin", "PUT", "$sandbox?" + query).body; }
  std::string new_call() const {
    return done("analyst", "POST", "incident", R"({"ShortDescription": "in the sand"})")["Ref"];
  }
  Desk desk;
};

std::vector<const json::Node*> those_with(const json::Node& told, const char* member) {
  std::vector<const json::Node*> found;
  for (const json::Node& each : told.find("happened")->items())
    if (each.find(member)) found.push_back(&each);
  return found;
}

// Minutes from the first to the others, rounded.
std::vector<int> minutes_of(const std::vector<const json::Node*>& happened) {
  std::vector<int> minutes;
  for (const json::Node* each : happened) {
    const auto at = [](const json::Node* node) { return parse_iso8601(node->find("date")->text())->ms; };
    minutes.push_back(static_cast<int>((at(each) - at(happened.front()) + 30'000) / 60'000));
  }
  return minutes;
}

}  // namespace

TEST_CASE("a sandbox is for the right Administration, and says what it does not understand") {
  const Desk desk;
  const ServerProcess::Headers inside = {"Callisto-Sandbox: login=analyst"};
  for (const char* login : {"analyst", "user"}) {
    for (const char* method : {"GET", "POST", "PUT", "DELETE"})
      CHECK(desk.send(login, method, "$sandbox").status == 403);
    CHECK(desk.send(login, "GET", "call", {}, inside).status == 403);
  }
  CHECK(desk.get("admin", "$sandbox")["runs"] == "false");
  CHECK(desk.send("admin", "GET", "call", {}, inside).status == 404);
  CHECK(desk.send("admin", "PUT", "$sandbox?minutes=5").status == 404);
  CHECK(desk.done("admin", "POST", "$sandbox")["runs"] == "true");
  CHECK(desk.send("admin", "GET", "call", {}, inside).status == 200);
  for (const char* wrong : {"", "?minutes=0", "?minutes=-5", "?minutes=soon", "?minutes=600000", "?receivers=99",
                            "?receivers=600", "?receivers=x"}) {
    INFO(wrong);
    CHECK(desk.send("admin", "PUT", std::string("$sandbox") + wrong).status == 400);
  }
  CHECK(desk.send("admin", "PATCH", "$sandbox").status == 405);
  for (const char* wrong :
       {"analyst", "login=", "login=nobody", "login=analyst&type=Robot", "login=user&type=Analyst"}) {
    INFO(wrong);
    CHECK(desk.send("admin", "GET", "call", {}, {std::string("Callisto-Sandbox: ") + wrong}).status == 400);
  }
  CHECK(desk.send("admin", "GET", "call", {}, {inside[0], "Callisto-View-As: login=user"}).status == 400);
  CHECK(desk.done("admin", "DELETE", "$sandbox")["runs"] == "false");
  CHECK(desk.send("admin", "GET", "call", {}, inside).status == 404);
}

TEST_CASE("nothing that names the sandbox is done in the desk, however its path or the header is written") {
  const Sand sand;
  const auto count = [&] { return sand.desk.get("admin", "call/$count").raw; };
  const std::string before = count(), bearer = "Authorization: Bearer " + sand.desk.server().token("admin");
  for (const char* root : {"/service.api/%61pi/v1", "/service.api/api", "/service.api/api/V1", "/service%2Eapi/api/v1"})
    for (const char* named : {"Callisto-Sandbox: login=analyst", "callisto-sandbox: login=analyst", "Callisto-Sandbox;",
                              "Callisto-Sandbox: nobody"}) {
      INFO(root << " " << named);
      sand.desk.server().send("POST", std::string(root) + "/incident", {bearer, json_type, named},
                              R"({"ShortDescription": "sand"})");
      CHECK(count() == before);
    }
}

TEST_CASE("what is done in the sandbox is done there alone, and a new one begins anew") {
  const Sand sand;
  const std::string before = sand.desk.get("admin", "call?$orderby=Ref%20desc&$top=5&$inlinecount=true").raw;
  const std::string made = sand.new_call();
  CHECK(sand.done("admin", "GET", "call/" + made)["ShortDescription"] == "in the sand");
  const auto open = sand.desk.refs("admin", "call", {{"$filter", "State == 1"}, {"$top", "2"}});
  const std::string changed = "call/" + open.at(0), closed = "call/" + open.at(1);
  sand.done("admin", "PUT", changed, R"({"ShortDescription": "changed"})");
  sand.done("analyst", "PUT", closed + "/close", R"({"Description": "Done."})");
  CHECK(sand.desk.get("admin", "call?$orderby=Ref%20desc&$top=5&$inlinecount=true").raw == before);
  CHECK(sand.desk.get("admin", "call/" + made).status == 404);
  CHECK(sand.desk.get("admin", changed)["ShortDescription"] != "changed");
  CHECK(sand.desk.get("admin", closed)["State"] == "1");
  sand.desk.done("admin", "POST", "$sandbox");
  CHECK(sand.send("admin", "GET", "call/" + made).status == 404);
  CHECK(sand.done("admin", "GET", closed)["State"] == "1");
}

TEST_CASE("each person finds in the sandbox what his rights and rules allow") {
  const Sand sand;
  const std::string call = "call/" + sand.new_call();
  CHECK(sand.send("user", "DELETE", call).status >= 400);
  CHECK(sand.send("user", "GET", "session").status == 403);
  CHECK(sand.done("analyst", "GET", call).actions().count("Close") == 1);
  const auto own = [&](const std::string& login) { return sand.done(login, "GET", "call/$count").raw; };
  CHECK(own("analyst") == sand.done("analyst", "GET", "call/$count").raw);
  CHECK(own("user") != own("analyst"));
  // A right that goes is gone with the next request.
  const std::string person = sand.done("admin", "GET", "person?$filter=LoginId==\"analyst\"&$select=Ref").raw;
  CHECK(person.find("\"Ref\":2") != person.npos);
  sand.done("admin", "PUT", "person/2", R"({"IsActive": false})");
  CHECK(sand.send("analyst", "GET", call).status == 400);
}

TEST_CASE("moved by two days, the sandbox does what is due at its time") {
  const Sand sand;
  const std::string call = sand.new_call();
  const std::string now = sand.desk.get("admin", "$sandbox")["now"];
  const DateTime later{parse_iso8601(now)->ms + 26LL * 3'600'000};
  sand.done("analyst", "PUT", "call/" + call + "/defer",
            R"({"Description": "Waits for the supplier.", "DeferUntil": ")" + to_iso8601(later) + "\"}");
  CHECK(sand.done("analyst", "GET", "call/" + call)["ClockStopped"] == "true");
  CHECK(those_with(sand.change("minutes=1500"), "event").back()->find("event")->text() != "ClockStarted");
  const json::Node told = sand.change("minutes=1380");
  CHECK(text_of(told, "dueDone") == "1");
  CHECK(sand.done("analyst", "GET", "call/" + call)["ClockStopped"] == "false");
  const json::Node* started = nullptr;
  for (const json::Node* each : those_with(told, "event"))
    if (each->find("event")->text() == "ClockStarted") started = each;
  REQUIRE(started);
  CHECK_FALSE(started->find("person"));
  CHECK(text_of(*started, "ref") == call);
  const std::int64_t late = parse_iso8601(text_of(*started, "date"))->ms - later.ms;
  CHECK(late >= 0);
  CHECK(late <= 10'000 + 1000);
  const std::int64_t moved = parse_iso8601(text_of(told, "now"))->ms - parse_iso8601(now)->ms;
  CHECK(moved >= 2880LL * 60'000);
  CHECK(moved < 2890LL * 60'000);
}

TEST_CASE("the sandbox answers for receivers: a webhook is tried by its schedule, and nothing is sent") {
  test::WebhookReceiver receiver;
  const Sand sand;
  const std::string webhook =
      sand.done("admin", "POST", "webhook",
                R"({"Name": "ERP", "CoreEntityType": "Call", "PayloadUrl": ")" + receiver.url("/hook") + "\"}")["Ref"];
  sand.change("receivers=503");
  sand.new_call();
  const json::Node failed = sand.change("minutes=90");
  CHECK(minutes_of(those_with(failed, "delivery")).size() == 10);
  CHECK(minutes_of(those_with(failed, "delivery")).back() >= 55);
  const std::string path = "webhook/" + webhook + "/delivery";
  CHECK(sand.done("admin", "GET", path + "?$select=Status,Attempts").raw.find(R"("Status":"F","Attempts":10)") !=
        std::string::npos);
  sand.change("receivers=204");
  sand.new_call();
  const json::Node sent = sand.change("minutes=1");
  CHECK(text_of(*those_with(sent, "delivery").back(), "status") == "204");
  const json::Node shown = sand.done("admin", "PUT", "webhook/" + webhook + "/redeliver-failed", "{}").body;
  CHECK(text_of(shown, "Redelivered") == "1");
  CHECK(receiver.received().empty());
  CHECK(sand.desk.get("admin", "webhook/" + webhook).status == 404);
}

TEST_CASE("the sandbox goes by the rules on disk, which the desk does not know before it loads them") {
  const OwnFiles own;
  const Desk desk(own.settings());
  own.write("scripts/call/actions/wave.lua",
            "return action \"wave\" {\n  description = \"Waves.\",\n  from = \"Open*\",\n  raises = \"Waved\",\n}\n");
  desk.done("admin", "POST", "$sandbox");
  const auto inside = [&](const char* method, const std::string& path) {
    return desk.send("admin", method, path, "{}", {json_type, "Callisto-Sandbox: login=analyst"});
  };
  const std::string call = "call/" + desk.send("admin", "POST", "incident", R"({"ShortDescription": "x"})",
                                               {json_type, "Callisto-Sandbox: login=analyst"})["Ref"];
  CHECK(inside("PUT", call + "/wave").status == 200);
  CHECK(desk.send("analyst", "PUT", "call/1/wave", "{}").status == 404);
  // What does not load begins none, and leaves the one that runs.
  own.write("scripts/call/actions/wave.lua", "return action \"wave\" {");
  CHECK(desk.send("admin", "POST", "$sandbox").status == 400);
  CHECK(inside("GET", call).status == 200);
}

TEST_CASE("a clock that moves far keeps neither a second request nor the end of the server") {
  Sand sand;
  const std::string bearer = "Authorization: Bearer " + sand.desk.server().token("admin");
  std::optional<Answer> answer;
  std::thread moving(
      [&] { answer = sand.desk.server().try_send("PUT", "/service.api/api/v1/$sandbox?minutes=500000", {bearer}); });
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  while (sand.desk.send("admin", "GET", "$sandbox").status != 503 && std::chrono::steady_clock::now() < end) {}
  CHECK(sand.desk.server().stop() == 0);
  moving.join();
  REQUIRE(answer);
  CHECK(answer->status == 200);
  CHECK(answer->body.find("\"stopped\":true") != std::string::npos);
}
