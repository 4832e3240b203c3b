// Metadata and options as a client discovers them (API rules 3.2, 1.2, 1 and 3).
#include "server_process.h"

#include <catch2/catch.hpp>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

const json::Limits large{32, 1'000'000};

json::Node metadata(std::string_view path) {
  const Answer answer = get("admin", path);
  INFO(path << " " << answer.body);
  REQUIRE(answer.status == 200);
  auto node = json::parse(answer.body, large);
  REQUIRE(node);
  return *std::move(node);
}

std::string text(const json::Node& node, std::string_view name) {
  const json::Node* found = node.find(name);
  return found ? found->text() : std::string();
}

const json::Node* property(const json::Node& entity, std::string_view name) {
  for (const json::Node& each : entity.find("properties")->items())
    if (text(each, "name") == name) return &each;
  return nullptr;
}

}  // namespace

TEST_CASE("every way of naming no resource answers the root metadata") {
  const std::string token = sample_server().token("admin");
  const std::string expected = get("admin", "v1").body;
  CHECK(expected.find("\"approval\":[{\"_self\":\"api:v1/approval/$metadata\"}]") != std::string::npos);
  for (const char* target :
       {"/service.api/api", "/service.api/api/", "/service.api", "/service.api/", "/service.api/api/v1",
        "/service.api/api/v1/", "/service.api/api/v1.0", "/service.api/api/api", "/service.api/api/api/v1",
        "/service.api/api?$metadata&$options"}) {
    INFO(target);
    const Answer answer = sample_server().send("GET", target, {"Authorization: Bearer " + token});
    CHECK(answer.status == 200);
    CHECK(answer.body == expected);
  }
}

TEST_CASE("the root lists what extends nothing and what says top_level, and every link leads somewhere") {
  const json::Node root = metadata("v1/$metadata");
  const json::Node* links = root.find("_links");
  REQUIRE(links);
  for (const char* listed : {"approval", "call", "service", "configuration-item", "incident", "person"})
    CHECK(links->find(listed) != nullptr);
  CHECK(links->find("problem") == nullptr);
  for (const json::Member& link : links->members()) {
    const std::string self = text(link.value.items().front(), "_self");
    REQUIRE(self.starts_with("api:"));
    if (link.name == "me") continue;  // one record
    CHECK(text(metadata(self.substr(4)), "name") == link.name);
  }
}

TEST_CASE("an entity's metadata says what it is, what it extends and what extends it") {
  const json::Node call = metadata("v1/call/$metadata");
  CHECK(text(call, "status") == "GA");
  CHECK(call.find("_context") == nullptr);
  CHECK(call.find("children")->items().size() == 3);
  for (const json::Node& child : call.find("children")->items()) CHECK(child.members().size() == 1);
  const json::Node incident = metadata("v1/incident/$metadata");
  CHECK(text(incident, "_context") == "api:v1/call/$metadata");
  CHECK(property(incident, "MajorIncident") != nullptr);
  CHECK(property(incident, "ShortDescription") != nullptr);
  CHECK(property(call, "MajorIncident") == nullptr);
}

TEST_CASE("property descriptors carry what the specification lists") {
  const json::Node call = metadata("v1/call/$metadata");
  const json::Node* ref = property(call, "Ref");
  REQUIRE(ref);
  CHECK(ref->find("isKey")->boolean());
  CHECK(text(*ref, "dataType") == "Integer");
  const json::Node* priority = property(call, "Priority");
  CHECK(text(*priority, "dataType") == "Lookup");
  CHECK(text(*priority, "type") == "call-priority");
  CHECK(text(*priority, "class") == "Lookup");
  CHECK(text(*property(call, "ShortDescription"), "length") == "255");
  CHECK(text(*property(call, "Description"), "usage") == "Public");
  const json::Node person = metadata("v1/person/$metadata");
  CHECK(property(person, "LoginId")->find("uppercase")->boolean());
  for (const char* name : {"Image", "IsDeleted"}) CHECK(property(person, name)->find("noSearch")->boolean());
}

TEST_CASE("what the metadata lists can be selected, and what it does not list cannot") {
  std::set<std::string> names;
  const json::Node incident = metadata("v1/incident/$metadata");
  for (const json::Node& each : incident.find("properties")->items()) names.insert(text(each, "name"));
  for (const std::string& name : names) {
    INFO(name);
    CHECK(get("admin", "v1/incident", {{"$select", name}, {"$top", "1"}}).status == 200);
  }
  CHECK(get("admin", "v1/incident", {{"$select", "Password"}}).status == 400);
}

TEST_CASE("entities answer to their PascalCase name and in any case, with canonical links") {
  for (const char* path : {"v1/CallHistory", "v1/callhistory", "v1/CALL-HISTORY", "call-history"}) {
    INFO(path);
    const json::Node page = get_json("admin", path, {{"$top", "1"}});
    CHECK(text(page, "_self").starts_with("api:v1/call-history?"));
  }
}

TEST_CASE("$options tells the methods, in the body and in Allow") {
  for (const char* path : {"v1/call/$options", "v1/call/1/$options", "v1/call/1/attachment/$options"}) {
    INFO(path);
    const Answer answer = get("admin", path);
    CHECK(answer.status == 200);
    CHECK(answer.headers.at("allow").find("GET") != std::string::npos);
    CHECK(answer.body.find("\"methods\":[\"GET\"") != std::string::npos);
  }
  CHECK(get("admin", "v1/call?$options").body == get("admin", "v1/call/$options").body);
  const std::string token = sample_server().token("admin");
  const Answer options =
      sample_server().send("OPTIONS", "/service.api/api/v1/call", {"Authorization: Bearer " + token});
  CHECK(options.status == 204);
  CHECK(options.headers.count("allow") == 1);
}

TEST_CASE("HEAD answers as GET does, without the body") {
  const std::string token = sample_server().token("admin");
  const Answer head =
      sample_server().send("HEAD", "/service.api/api/v1/call/$metadata", {"Authorization: Bearer " + token});
  CHECK(head.status == 200);
  CHECK(head.body.empty());
  CHECK(std::stoul(head.headers.at("content-length")) == get("admin", "v1/call/$metadata").body.size());
}

TEST_CASE("what cannot be done says so with 405 and Allow") {
  struct Case {
    const char *method, *path, *sub_status;
  };
  const std::string token = sample_server().token("admin");
  for (const Case& each : {Case{"POST", "v1/asset", "NotSupported"}, Case{"PUT", "v1/cmdb-link/1", "NotSupported"},
                           Case{"POST", "v1/call-history", "NotSupported"}, Case{"PUT", "v1/call", "NotAllowed"},
                           Case{"POST", "v1/call/1", "NotAllowed"}, Case{"GET", "v1/call/1/forward", "NotAllowed"},
                           Case{"DELETE", "v1", "NotAllowed"}, Case{"POST", "v1/call/1/history", "NotAllowed"}}) {
    const Answer answer = sample_server().send(each.method, "/service.api/api/" + std::string(each.path),
                                               {"Authorization: Bearer " + token});
    INFO(each.method << " " << each.path << " " << answer.body);
    CHECK(answer.status == 405);
    CHECK(answer.headers.count("allow") == 1);
    CHECK(answer.body.find("\"" + std::string(each.sub_status) + "\"") != std::string::npos);
  }
}
