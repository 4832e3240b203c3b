// Lists below a record (API rules 2.14, 2.15) where a desk declares its own: each has its rows, and declaring one takes
// no row away from anybody.
#include "desk.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace {

using namespace callisto;
using namespace callisto::tests;
namespace fs = std::filesystem;

// The product's entities, with more lists below an asset.
class OwnLists {
 public:
  OwnLists() {
    fs::copy(test::source_folder() + "/entities", folder_.path() + "/entities", fs::copy_options::recursive);
    const std::string path = folder_.path() + "/entities/asset.lua";
    std::ifstream file(path);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    const std::string lists = "sub_resources = {";
    REQUIRE(text.find(lists) != std::string::npos);
    text.replace(text.find(lists), lists.size(), lists + R"(
      list "upstream" { entity = "cmdb-link", link = "Child" },
      list "downstream" { entity = "cmdb-link", link = "Parent" },
      list "calls" { entity = "call", link = "ConfigurationItem" },)");
    std::ofstream(path) << text;
    desk_.emplace(std::vector<std::string>{"--set", "entities=" + folder_.path() + "/entities"});
  }
  const Desk& desk() const { return *desk_; }

 private:
  TemporaryFolder folder_;
  std::optional<Desk> desk_;
};

const Desk& desk() {
  static const OwnLists lists;
  return lists.desk();
}

std::vector<std::string> members(const Reply& page, std::string_view name) {
  std::vector<std::string> values;
  REQUIRE(page.body.find("results"));
  for (const json::Node& row : page.body.find("results")->items()) values.push_back(text_of(row, name));
  return values;
}

}  // namespace

TEST_CASE("two lists of one entity below the same record have rows of their own") {
  const auto links = members(desk().get("admin", "cmdb-link", {{"$select", "Parent"}}), "Parent");
  REQUIRE_FALSE(links.empty());
  const std::string& asset = links.front();
  const Query query{{"$select", "Parent,Child"}};
  for (const auto& [list, end] : {std::pair{"/upstream", "Child"}, std::pair{"/downstream", "Parent"}}) {
    INFO(list);
    for (const std::string& value : members(desk().get("admin", "asset/" + asset + list, query), end))
      CHECK(value == asset);
  }
  CHECK_FALSE(members(desk().get("admin", "asset/" + asset + "/downstream", query), "Parent").empty());
}

TEST_CASE("files and history of a deleted record are found no more, unless a search names deletion") {
  const std::string call =
      desk().done("analyst", "POST", "call", R"({"ShortDescription": "x", "Submit": false})")["Ref"];
  const std::string file =
      desk().done("analyst", "POST", "call/" + call + "/attachment", R"({"Name": "a", "BinaryData": "eA=="})")["Ref"];
  const std::string files = "EntityRef == " + call + R"( && EntityType == "call")", rows = "TicketId == " + call;
  const auto search = [&](const char* entity, const std::string& filter) {
    const Reply page = desk().get("analyst", entity, {{"$filter", filter}, {"$select", "CreatedDate"}});
    INFO(entity << " " << filter << " -> " << page.raw.substr(0, 300));
    REQUIRE(page.status == 200);
    return page.body.find("results")->items().size();
  };
  const auto joined = [&](const std::string& filter) {
    const Query query{{"$leftJoin", "Of:Call(Ref == TicketId)"}, {"$filter", filter}, {"$select", "Order,Of.Ref"}};
    return desk().get("analyst", "call-history", query).body.find("results")->items().size();
  };
  CHECK(search("attachment", files) == 1);
  CHECK(search("call-history", rows) == 1);
  CHECK(joined(rows) == 1);
  CHECK(desk().get("analyst", "attachment/" + file).status == 200);
  desk().done("analyst", "DELETE", "call/" + call);
  for (const char* login : {"analyst", "admin"}) {
    CHECK(desk().get(login, "attachment/" + file).status == 404);
    CHECK(desk().refs(login, "attachment", {{"$filter", files}}).empty());
    CHECK(desk().get(login, "call-history", {{"$filter", rows}, {"$count", "true"}}).raw == "0");
  }
  CHECK(desk().send("analyst", "DELETE", "call/" + call + "/attachment/" + file).status == 404);
  CHECK(search("attachment", files) == 0);
  CHECK(joined(rows) == 0);
  CHECK(search("attachment", files + " && !@IsDeleted") == 1);
  CHECK(search("call-history", rows + " && Order == 1 && !@IsDeleted") == 1);
  const Reply last = desk().get("analyst", "call",
                                {{"$filter", "@IsDeleted && Ref == " + call},
                                 {"$innerJoin", "Last:CallHistory(TicketId == Ref && Order == 1)"},
                                 {"$select", "Ref,Last.Order"}});
  CHECK(members(last, "Ref") == std::vector<std::string>{call});
}

TEST_CASE("a list takes no row away that does not hang on its parent") {
  const auto calls = [&](const char* login, const std::string& filter) {
    return desk().refs(login, "call", {{"$filter", filter}});
  };
  const std::string loose = desk().done("analyst", "POST", "incident", R"({"ShortDescription": "x"})")["Ref"];
  CHECK(desk().get("analyst", "call/" + loose).status == 200);
  CHECK(calls("analyst", "Ref == " + loose) == std::vector<std::string>{loose});
  CHECK(calls("analyst", "ConfigurationItem == null && Partition == 1") ==
        calls("admin", "ConfigurationItem == null && Partition == 1"));
}
