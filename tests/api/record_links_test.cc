// The links of a record: itself, its search, its lists and whatever its lookups hold (API rules 3.1, 3.2).
#include "server_process.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

std::string text(const json::Node& node, std::string_view name) {
  const json::Node* found = node.find(name);
  return found ? found->text() : std::string();
}

// The entry's "_self href", or nothing where there is no link of that name.
std::string linked(const json::Node& record, std::string_view name) {
  const json::Node* entries = record.find("_links")->find(name);
  if (!entries) return {};
  REQUIRE(entries->items().size() == 1);
  const json::Node& entry = entries->items().front();
  CHECK(text(entry, "method") == "GET");
  return text(entry, "_self") + " " + text(entry, "href");
}

void check_own_links(const json::Node& record, const std::string& type) {
  const std::string self = text(record, "_self");
  CHECK(self == "api:v1/" + type + "/" + text(record, "Ref"));
  CHECK(linked(record, "Get") == self + "/$options " + self);
  CHECK(linked(record, "Search") == "api:v1/" + type + "/$options api:v1/" + type);
}

void check_lookups(const json::Node& record, const json::Node& metadata) {
  for (const json::Node& property : metadata.find("properties")->items()) {
    const std::string name = text(property, "name"), target = "api:v1/" + text(property, "type");
    const json::Node* value = record.find(name);
    if (text(property, "dataType") != "Lookup" || !value) continue;
    INFO(name);
    CHECK(linked(record, name) == (value->is_null() ? "" : target + "/$metadata " + target + "/" + value->text()));
  }
}

}  // namespace

TEST_CASE("a record links to itself, its lists and what its lookups hold, by its final type") {
  const auto metadata = json::parse(get("admin", "v1/call/$metadata").body, json::Limits{32, 1'000'000});
  REQUIRE(metadata);
  for (const char* type : {"incident", "problem", "service-request"}) {
    const json::Node page = get_json("admin", std::string("v1/") + type, {{"$top", "1"}, {"$select", "Ref"}});
    const std::string key = text(page.find("results")->items().front(), "Ref");
    const json::Node record = get_json("admin", "v1/call/" + key);
    INFO(type << " " << key);
    check_own_links(record, type);
    const std::string self = text(record, "_self");
    CHECK(linked(record, "History") == self + "/history/$options " + self + "/history");
    CHECK(linked(record, "Attachment") == self + "/attachment/$options " + self + "/attachment");
    check_lookups(record, *metadata);
  }
}

TEST_CASE("the metadata and options of a record have its links filled in, by its final type") {
  const json::Node page = get_json("admin", "v1/incident", {{"$filter", "User != null"}, {"$top", "1"}});
  const std::string key = text(page.find("results")->items().front(), "Ref");
  const json::Node record = get_json("admin", "v1/call/" + key);
  for (const char* view : {"/$options", "/$metadata", "?$options"}) {
    const Answer answer = get("admin", "v1/call/" + key + view);
    INFO(view << " " << answer.body);
    REQUIRE(answer.status == 200);
    CHECK(answer.body.find("templated") == std::string::npos);
    CHECK(answer.body.find("{id}") == std::string::npos);
    const auto node = json::parse(answer.body, json::Limits{32, 1'000'000});
    REQUIRE(node);
    CHECK(linked(*node, "Get") == linked(record, "Get"));
    CHECK(linked(*node, "History") == linked(record, "History"));
    for (const json::Member& member : record.find("_links")->members()) {
      INFO(member.name);
      CHECK(linked(*node, member.name) == linked(record, member.name));
    }
  }
  CHECK(get("admin", "v1/call/$options").body.find("call/{id}/history") != std::string::npos);
  CHECK(get("admin", "v1/call/99999999/attachment/$options").status == 404);
}

TEST_CASE("an entity of one type links its records without lists, and a selection leaves lookups out") {
  const json::Node priority = get_json("admin", "v1/call-priority/1");
  check_own_links(priority, "call-priority");
  CHECK(linked(priority, "History").empty());
  const json::Node call = get_json("admin", "v1/call/1", {{"$select", "Ref,State"}});
  CHECK_FALSE(linked(call, "State").empty());
  CHECK(linked(call, "Priority").empty());
}
