// Computed columns over a page: each row has its own value, and rows that need the same are asked for once.
#include "desk.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <set>
#include <string>

using namespace callisto;
using namespace callisto::tests;

TEST_CASE("rows that need the same share the value of an extension, others have their own") {
  const TemporaryFolder scripts;
  std::filesystem::create_directories(scripts.path() + "/call/augmenters");
  std::ofstream(scripts.path() + "/call/augmenters/Asked.lua") << R"(return extension "Asked" {
  description = "The state, and how many were asked for.", returns = "Text", needs = { "State" },
  values = function(calls)
    local all = {}
    for i, call in ipairs(calls) do all[i] = call.State .. " of " .. #calls end
    return all
  end,
})";
  std::ofstream(scripts.path() + "/call/augmenters/Echo.lua") << R"(return extension "Echo" {
  description = "What it needs.", returns = "Text", needs = { "ShortDescription", "DueDate", "Analyst" },
  value = function(call) return call.ShortDescription end,
})";
  std::ofstream(scripts.path() + "/call/augmenters/Same.lua") << R"(return extension "Same" {
  description = "Needs nothing.", returns = "Integer", needs = {}, values = function(calls) return { #calls } end,
})";
  const Desk desk({"--set", "scripts=scripts," + scripts.path()});
  const Reply page =
      desk.get("admin", "call", {{"$select", "State,ShortDescription,@Asked,@Echo,@Same"}, {"$top", "200"}});
  REQUIRE(page.status == 200);
  const auto rows = page.body.find("results")->items();
  std::set<std::string> states;
  for (const json::Node& row : rows) states.insert(text_of(row, "State"));
  REQUIRE(states.size() > 1);
  REQUIRE(states.size() < rows.size());
  for (const json::Node& row : rows) {
    CHECK(text_of(row, "Asked") == text_of(row, "State") + " of " + std::to_string(states.size()));
    CHECK(text_of(row, "Echo") == text_of(row, "ShortDescription"));
    CHECK(text_of(row, "Same") == "1");
  }
}
