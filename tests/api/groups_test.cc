// $groupby and $aggregate (decision 0049), as clients ask for them. That the numbers are right is tests/differential's.
#include "shared_desk.h"

#include <catch2/catch.hpp>

#include <map>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

Reply page_of(std::string_view login, const std::string& path, const Query& query) {
  const Reply page = desk().get(login, path, query);
  INFO(login << ": " << path << " -> " << page.raw.substr(0, 300));
  REQUIRE(page.status == 200);
  return page;
}

std::string number_of(std::string_view login, const std::string& filter) {
  return page_of(login, "call", {{"$filter", filter}, {"$count", "true"}}).raw;
}

}  // namespace

TEST_CASE("a group has as many rows as the session finds by its values") {
  for (const char* login : {"admin", "analyst", "user"}) {
    std::size_t groups = 0;
    const auto page = page_of(login, "call", {{"$groupby", "State,Priority.Name"}, {"$top", "1000"}});
    for (const json::Node& group : page.body.find("results")->items()) {
      const std::string name = text_of(*group.find("Priority"), "Name");
      const std::string of_name = name == "null" ? "Priority.Name == null" : "Priority.Name == \"" + name + "\"";
      CHECK(number_of(login, "State == " + text_of(group, "State") + " && " + of_name) == text_of(group, "__count"));
      ++groups;
    }
    const Query query{{"$groupby", "State,Priority.Name"}, {"$count", "true"}};
    CHECK(page_of(login, "call", query).raw == std::to_string(groups));
  }
}

TEST_CASE("a lookup among the groups has its record's links, what stands below one alone has none") {
  const auto first = [](const std::string& by) {
    const auto page = page_of("admin", "call", {{"$groupby", by}, {"$orderby", "__count desc"}, {"$top", "1"}});
    return page.body.find("results")->items().front();
  };
  const json::Node alone = first("Priority.Name");
  CHECK(alone.find("Priority")->find("_self") == nullptr);
  CHECK(alone.find("_self") == nullptr);
  for (const char* both : {"Priority.Name,Priority", "Priority,Priority.Name"}) {
    const json::Node whole = first(both);
    CHECK(text_of(*whole.find("Priority"), "_self").starts_with("api:v1/call-priority/"));
    CHECK(text_of(*whole.find("Priority"), "Name") == text_of(*alone.find("Priority"), "Name"));
  }
}

TEST_CASE("all rows are one group where only aggregates are asked for, and none come to null") {
  const Query none{{"$filter", "Ref < 0"},
                   {"$aggregate", "sum(Ref) as Sum,count(Ref) as Number,max(LoggedDate) as Last"}};
  const auto page = page_of("admin", "call", none);
  REQUIRE(page.body.find("results")->items().size() == 1);
  const json::Node& group = page.body.find("results")->items().front();
  CHECK(text_of(group, "__count") == "0");
  CHECK(text_of(group, "Sum") == "null");
  CHECK(text_of(group, "Number") == "0");
  CHECK(text_of(group, "Last") == "null");
  const auto some = page_of("admin", "call", {{"$filter", "Ref in (1, 2)"}, {"$aggregate", "avg(Ref) as Mean"}});
  CHECK(text_of(some.body.find("results")->items().front(), "Mean") == "1.5");
}

TEST_CASE("the pages of a walk by _links.Next hold every group once") {
  const Query all{{"$groupby", "User,State"}, {"$top", "100000"}};
  const std::size_t wanted = page_of("admin", "call", all).body.find("results")->items().size();
  std::set<std::string> seen;
  std::string url = "call?$groupby=User,State&$orderby=__count%20desc&$top=7";
  while (!url.empty()) {
    const auto page = page_of("admin", url, {});
    for (const json::Node& group : page.body.find("results")->items())
      CHECK(seen.insert(text_of(group, "User") + "/" + text_of(group, "State")).second);
    const json::Node* links = page.body.find("_links");
    url = links ? text_of(links->find("Next")->items().front(), "_self").substr(7) : std::string();
  }
  CHECK(seen.size() == wanted);
}

TEST_CASE("groups are answered below a record, as CSV, and by what a join adds") {
  const auto history = page_of("admin", "call/7/history", {{"$groupby", "Action"}});
  CHECK_FALSE(history.body.find("results")->items().empty());
  const Query joined{{"$leftJoin", "H:CallHistory(TicketId==Ref)"}, {"$aggregate", "count(H.Order) as Rows"}};
  const auto rows = page_of("admin", "call", joined);
  const json::Node& group = rows.body.find("results")->items().front();
  CHECK(text_of(group, "Rows") == text_of(group, "__count"));
  const auto csv = desk().send("admin", "GET", "call?$groupby=State.Name,P:Priority&$aggregate=max(Ref)%20as%20Last",
                               {}, {"Accept: text/csv"});
  CHECK(csv.raw.starts_with("State.Name,P,__count,Last\r\n"));
}

TEST_CASE("groups have a url of their own") {
  const Query query{{"$groupby", "State"}, {"$top", "2"}};
  const auto rows = [&](const std::string& path) {
    const Reply page = page_of("admin", path, query);
    return page.raw.substr(page.raw.find("\"results\""));
  };
  CHECK(rows("call/$groups") == rows("call"));
  const Query none{{"$top", "2"}};
  REQUIRE(desk().get("admin", "call", none).status == 200);
  CHECK(page_of("admin", "call/$groups", none).body.find("results")->items().size() == 1);
  CHECK(page_of("admin", "call/7/history/$Groups", {{"$groupby", "Action"}}).raw.find("__count") != std::string::npos);
  CHECK(desk().get("admin", "call/$groups", {{"$select", "Ref"}}).status == 400);
  CHECK(desk().get("admin", "call/7/$groups", query).status == 404);
}

TEST_CASE("a sum that 64 bits do not hold is refused with its cause, and avg answers it") {
  std::set<std::string> refs;
  for (int i = 0; i < 2; ++i)
    refs.insert(desk().done("admin", "POST", "configuration-item",
                            R"({"Name": "dear", "PurchaseCost": 90000000000000000, "AssetRef": "DEAR)" +
                                std::to_string(i) + R"("})")["Ref"]);
  const Query sum{{"$filter", "Name == \"dear\""}, {"$aggregate", "sum(PurchaseCost) as Cost"}};
  const Reply refused = desk().get("admin", "configuration-item", sum);
  CHECK(refused.status == 400);
  CHECK(refused["Message"].find("9223372036854775807") != std::string::npos);
  const Query mean{{"$filter", "Name == \"dear\""},
                   {"$aggregate", "avg(PurchaseCost) as Cost,max(PurchaseCost) as Most"}};
  const auto answered = page_of("admin", "configuration-item", mean);
  CHECK(std::stod(text_of(answered.body.find("results")->items().front(), "Cost")) == 9e16);
  CHECK(text_of(answered.body.find("results")->items().front(), "Most").starts_with("90000000000000000"));
}
