// By whose eyes a webhook tells: its owner's, at that moment (partitions, rights, deactivation), and who may do what
// with a webhook that belongs to somebody else.
#include "webhook_desk.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;
using test::Received;

std::string person(const WebhookDesk& world, const std::string& login) {
  return world.desk.refs("admin", "person", {{"$filter", "LoginId == \"" + login + "\""}}).at(0);
}

std::string role(const WebhookDesk& world, const std::string& name, const std::string& rights) {
  return world.desk.done("admin", "POST", "role", R"({"Name":")" + name + R"(","Rights":")" + rights + "\"}")["Ref"];
}

// The Ref of what assigns it.
std::string assign(const WebhookDesk& world, const std::string& login, const std::string& role) {
  return world.desk.done("admin", "POST", "person-role",
                         R"({"Person":)" + person(world, login) + R"(,"Role":)" + role + "}")["Ref"];
}

// As somebody else than admin.
std::string add_as(const WebhookDesk& world, const std::string& login, const std::string& members,
                   const std::string& path) {
  const std::string body =
      R"({"PayloadUrl":")" + world.receiver.url(path) + R"(","Secret":")" + webhook_secret + "\"," + members + "}";
  return world.desk.done(login, "POST", "webhook", body)["Ref"];
}

std::string in_partition(const WebhookDesk& world, const std::string& partition, const std::string& text) {
  return world.desk.done("admin", "POST", "incident",
                         R"({"ShortDescription":")" + text + R"(","Partition":)" + partition + "}")["Ref"];
}

using Texts = std::multiset<std::string>;  // between records there is no order (webhooks/README.md)

// What came at that path, once `count` requests came in all.
Texts told(WebhookDesk& world, const std::string& path, std::size_t count) {
  Texts texts;
  for (const Received& each : world.receiver.wait_for(count))
    if (each.path == path) texts.insert(text_at(each.body, {"Call", "ShortDescription"}));
  return texts;
}

std::string audit_log(const WebhookDesk& world) {
  std::ifstream stream(world.desk.folder() + "/audit.jsonl");
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_CASE("a webhook tells what its owner may read, and nothing of other partitions", "[webhooks]") {
  WebhookDesk world;
  assign(world, "ANALYST", role(world, "Integrators", "Integration"));
  const std::string mine = add_as(world, "analyst", R"("CoreEntityType":"Call")", "/mine");
  CHECK(world.desk.get("analyst", "webhook/" + mine)["Owner"] == person(world, "ANALYST"));
  world.add(R"("CoreEntityType":"Call")", "/all");
  const std::string hidden = in_partition(world, "2", "hidden");
  const std::string seen = in_partition(world, "1", "seen");
  CHECK(told(world, "/all", 3) == Texts{"hidden", "seen"});
  CHECK(told(world, "/mine", 3) == Texts{"seen"});
  // Nor does a later change of it come, nor one that takes a record out of sight.
  world.desk.done("admin", "PUT", "incident/" + hidden, R"({"ShortDescription":"still hidden"})");
  world.desk.done("admin", "PUT", "incident/" + seen, R"({"ShortDescription":"gone","Partition":2})");
  CHECK(told(world, "/all", 5).size() == 4);
  CHECK(told(world, "/mine", 5) == Texts{"seen"});
  CHECK(world.desk.refs("analyst", "webhook/" + mine + "/delivery", {}).size() == 1);

  const std::string preview = R"({"Entity":"incident","Event":"Updated","Ref":)";
  for (const char* login : {"analyst", "admin"}) {
    const Reply refused = world.desk.send(login, "PUT", "webhook/" + mine + "/preview", preview + hidden + "}");
    INFO(login << " " << refused.raw);
    CHECK(refused.status == 400);
    CHECK(refused.errors() == std::set<std::string>{"Ref"});
  }
}

TEST_CASE("a filter of a webhook asks nothing of what its owner may not read", "[webhooks]") {
  WebhookDesk world;
  assign(world, "ANALYST", role(world, "Integrators", "Integration"));
  // Neither of a hidden record, nor through a lookup to one.
  const std::string item = world.desk.done("admin", "POST", "configuration-item",
                                           R"({"AssetRef":"HIDDEN-1","Name":"secret name","Partition":2})")["Ref"];
  const std::string mine = add_as(world, "analyst",
                                  R"("CoreEntityType":"Call","PayloadFilter":"ConfigurationItem.Name == null ||)"
                                  R"-( ConfigurationItem.Name.StartsWith(\"secret\")",)-"
                                  R"("PayloadSelect":"Ref,ShortDescription,ConfigurationItem.Name")",
                                  "/mine");
  const std::string call = world.desk.done(
      "admin", "POST", "incident", R"({"ShortDescription":"a","Partition":1,"ConfigurationItem":)" + item + "}")["Ref"];
  const Received request = world.receiver.wait_for(1).at(0);
  CHECK(text_at(request.body, {"Call", "ConfigurationItem"}) == item);
  CHECK(request.body.find("secret name") == std::string::npos);
  world.desk.done("analyst", "PUT", "webhook/" + mine,
                  R"-({"PayloadFilter":"ConfigurationItem.Name.StartsWith(\"secret\")"})-");
  const Reply shown = world.desk.done("analyst", "PUT", "webhook/" + mine + "/preview",
                                      R"({"Entity":"incident","Event":"Updated","Ref":)" + call + "}");
  CHECK(shown["Matches"] == "false");
}

TEST_CASE("who loses a right, or is deactivated, is told nothing from then on", "[webhooks]") {
  WebhookDesk world;
  const std::string assignment = assign(world, "ANALYST", role(world, "Integrators", "Integration"));
  const std::string reading = role(world, "Readers", "knowledge:Read");
  world.desk.done("admin", "PUT", "role/" + reading, R"({"AllPartitions":true})");
  const std::string mine = add_as(world, "analyst", R"("CoreEntityType":"Call")", "/mine");
  const auto is_told = [&](const std::string& text) {  // what is told is queued before the change is answered
    const std::string filter = "Webhook == " + mine + " && EntityRef == " + in_partition(world, "1", text);
    return !world.desk.refs("admin", "webhook-delivery", {{"$filter", filter}}).empty();
  };
  CHECK(is_told("at first"));
  const std::string analyst = "person/" + person(world, "ANALYST");
  world.desk.done("admin", "PUT", analyst + "/deactivate", "{}");
  CHECK_FALSE(is_told("deactivated"));
  CHECK(world.desk.get("admin", "webhook/" + mine).raw.find("not active") != std::string::npos);
  CHECK(world.desk.send("admin", "PUT", "webhook/" + mine + "/test", "{}").status == 400);
  world.desk.done("admin", "PUT", analyst + "/activate", "{}");
  CHECK(is_told("active"));
  world.desk.done("admin", "DELETE", "person-role/" + assignment);
  CHECK_FALSE(is_told("without Integration"));
  assign(world, "ANALYST", world.desk.refs("admin", "role", {{"$filter", "Name == \"Integrators\""}}).at(0));
  CHECK(is_told("with it again"));
  for (const std::string& each :
       world.desk.refs("admin", "person-role", {{"$filter", "Person.LoginId == \"ANALYST\""}}))
    world.desk.done("admin", "DELETE", "person-role/" + each);
  assign(world, "ANALYST", reading);
  assign(world, "ANALYST", world.desk.refs("admin", "role", {{"$filter", "Name == \"Integrators\""}}).at(0));
  CHECK_FALSE(is_told("without call:Read"));
}

TEST_CASE("a webhook is its owner's: others neither change it nor read what it was told", "[webhooks]") {
  WebhookDesk world;
  const std::string integrators = role(world, "Integrators", "Integration");
  assign(world, "ANALYST", integrators);
  assign(world, "ANALYST2", integrators);
  const std::string mine = add_as(world, "analyst", R"("CoreEntityType":"Call")", "/mine");
  in_partition(world, "1", "one");
  world.receiver.wait_for(1);
  const std::string path = "webhook/" + mine;
  const std::string delivery = world.desk.refs("analyst", path + "/delivery", {}).at(0);
  CHECK(text_at(world.desk.get("analyst", path + "/delivery/" + delivery)["RequestBody"],
                {"Call", "ShortDescription"}) == "one");
  CHECK(world.desk.get("analyst2", path).status == 200);
  CHECK(world.desk.send("analyst2", "PUT", path, R"({"PayloadUrl":"http://127.0.0.1:1/"})").status == 403);
  for (const char* action : {"/test", "/rotate-secret", "/redeliver-failed", "/hand-over"})
    CHECK(world.desk.send("analyst2", "PUT", path + action, "{}").status == 403);
  CHECK(
      world.desk.send("analyst", "PUT", path + "/hand-over", R"({"Owner":)" + person(world, "ANALYST") + "}").status ==
      403);
  CHECK(world.desk.send("analyst", "PUT", path, R"({"Owner":)" + person(world, "ADMIN") + "}").status == 400);
  CHECK(world.desk.send("analyst2", "DELETE", path).status == 403);
  CHECK(world.desk.refs("analyst2", path + "/delivery", {}).empty());
  CHECK(world.desk.get("analyst2", "webhook-delivery/" + delivery).status == 404);
  CHECK(world.desk.send("analyst2", "PUT", "webhook-delivery/" + delivery + "/redeliver", "{}").status == 404);

  // Handed over it tells by the other's eyes; nobody owns one who may not.
  const Reply refused =
      world.desk.send("admin", "PUT", path + "/hand-over", R"({"Owner":)" + person(world, "USER") + "}");
  CHECK(refused.status == 400);
  CHECK(refused.errors() == std::set<std::string>{"Owner"});
  const Reply handed =
      world.desk.done("admin", "PUT", path + "/hand-over", R"({"Owner":)" + person(world, "ANALYST2") + "}");
  CHECK(handed["Owner"] == person(world, "ANALYST2"));
  in_partition(world, "2", "two");
  CHECK(told(world, "/mine", 2) == Texts{"one", "two"});
  CHECK(world.desk.get("analyst", "webhook-delivery/" + delivery).status == 404);
  world.desk.done("admin", "PUT", path, R"({"Name":"edited"})");
  CHECK(world.desk.get("admin", path)["Owner"] == person(world, "ANALYST2"));
  world.desk.done("analyst2", "PUT", path + "/preview", R"({"Entity":"incident","Event":"Updated","Ref":1})");
  const std::string log = audit_log(world);
  CHECK(log.find("hand-over") != std::string::npos);
  CHECK(log.find("webhook-previewed") != std::string::npos);
}

TEST_CASE("what an owner may no longer read is not sent again, and its body is not shown", "[webhooks]") {
  WebhookDesk world;
  assign(world, "ANALYST", role(world, "Integrators", "Integration"));
  const std::string mine = add_as(world, "analyst", R"("CoreEntityType":"Call")", "/mine");
  const std::string call = in_partition(world, "1", "one");
  world.receiver.wait_for(1);
  CHECK(world.concluded(mine)["Status"] == "S");
  const std::string path = "webhook-delivery/" + world.desk.refs("analyst", "webhook-delivery", {}).at(0);
  world.desk.done("analyst", "PUT", path + "/redeliver", "{}");
  world.receiver.wait_for(2);
  CHECK(world.concluded(mine)["Status"] == "S");
  world.desk.done("admin", "PUT", "incident/" + call, R"({"Partition":2})");
  CHECK(world.desk.get("analyst", path)["RequestBody"] == "null");
  CHECK(world.desk.get("admin", path)["RequestBody"] != "null");
  const Reply refused = world.desk.send("analyst", "PUT", path + "/redeliver", "{}");
  CHECK(refused.status == 400);
  CHECK_THAT(refused["Message"], Catch::Contains("may no longer read"));
}

}  // namespace
