// Searching for a part of a text: by the index where one helps, with the same answer as without.
#include "desk.h"

#include "engine/storage/database.h"

#include <catch2/catch.hpp>

#include <chrono>
#include <thread>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Refs = std::vector<std::string>;

// Until the server has taken up in the index what was written.
void wait_for_index(const Desk& desk) {
  storage::DatabaseOptions options;
  options.url = "sqlite:" + desk.folder() + "/desk.db";
  options.read_only = true;
  const auto database = storage::Database::open(options);
  REQUIRE(database);
  const auto reader = (*database)->connect_reader();
  REQUIRE(reader);
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(60);
  for (bool waits = true; waits && std::chrono::steady_clock::now() < until;) {
    const auto row = (*reader)->query(Sql("SELECT 1 FROM \"call~unindexed\""), {});
    REQUIRE(row);
    waits = *(*row)->step();
    if (waits) std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

Refs holding(const Desk& desk, const std::string& filter) {
  return desk.refs("admin", "call", {{"$filter", filter}, {"$orderby", "Ref"}});
}

}  // namespace

TEST_CASE("a part of a text is found at once, and still when the index knows it", "[sqlite]") {
  const Desk desk;
  const std::string ref = desk.done("analyst", "POST", "call",
                                    R"({"ShortDescription": "An ODD Zyzzyva-1", "Description": "say \"hm\""})")["Ref"];
  const auto check = [&](std::string_view when) {
    INFO(when);
    CHECK(holding(desk, "ShortDescription.Contains(\"zyzzyva\")") == Refs{ref});
    CHECK(holding(desk, "ShortDescription.StartsWith(\"an odd\") && Description.Contains(\"\\\"hm\")") == Refs{ref});
    CHECK(holding(desk, "Description.Contains(\"zyzzyva\") || ShortDescription.EndsWith(\"VA-1\")") == Refs{ref});
    CHECK(holding(desk, "Description.Contains(\"zyzzyva\")").empty());
    CHECK(desk.get("admin", "call", {{"$filter", "ShortDescription.Contains(\"zyzzyva\")"}, {"$count", "true"}}).raw ==
          "1");
  };
  check("just written");
  wait_for_index(desk);
  check("indexed");
  desk.done("analyst", "PUT", "call/" + ref, R"({"ShortDescription": "Plain"})");
  CHECK(holding(desk, "ShortDescription.Contains(\"zyzzyva\")").empty());
  wait_for_index(desk);
  CHECK(holding(desk, "ShortDescription.Contains(\"zyzzyva\")").empty());
  CHECK(holding(desk, "ShortDescription.Contains(\"lain\")") == Refs{ref});
}

TEST_CASE("$explain shows how a part of a text is looked for", "[sqlite]") {
  const Desk desk;
  const auto sql = [&](const std::string& filter) {
    const Reply reply = desk.get("admin", "call", {{"$filter", filter}, {"$explain", "true"}});
    REQUIRE(reply.status == 200);
    const json::Node* rows = reply.body.find("Rows");
    REQUIRE(rows);
    return text_of(*rows, "Sql");
  };
  CHECK_THAT(sql("ShortDescription.Contains(\"zyzzyva\")"), Catch::Contains("MATCH"));
  CHECK_THAT(sql("ShortDescription.Contains(\"zy\")"), !Catch::Contains("MATCH"));
  CHECK_THAT(sql("!ShortDescription.Contains(\"zyzzyva\")"), !Catch::Contains("MATCH"));
}
