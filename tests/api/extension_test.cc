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

TEST_CASE("rows that differ in a null, a fraction, a flag or their key alone have values of their own") {
  const TemporaryFolder scripts;
  std::filesystem::create_directories(scripts.path() + "/call/augmenters");
  std::filesystem::create_directories(scripts.path() + "/call-history/augmenters");
  std::ofstream(scripts.path() + "/call/augmenters/All.lua") << R"(return extension "All" {
  description = "What it needs.", returns = "Text", needs = { "Number1", "IpkStatus", "Checkbox1" },
  value = function(call)
    return tostring(call.Number1) .. " " .. tostring(call.IpkStatus) .. " " .. tostring(call.Checkbox1)
  end,
})";
  std::ofstream(scripts.path() + "/call-history/augmenters/Key.lua") << R"(return extension "Key" {
  description = "Its key.", returns = "Text", needs = { "TicketId", "Order" },
  value = function(row) return row.TicketId .. "/" .. row.Order end,
})";
  Desk desk({"--set", "scripts=scripts," + scripts.path()});
  const std::vector<std::pair<std::string, std::string>> calls = {
      {"{}", "nil nil nil"},
      {R"({"Number1": 0, "IpkStatus": 0, "Checkbox1": false})", "0 0 false"},
      {R"({"IpkStatus": 0})", "nil 0 nil"},
      {R"({"Number1": 0.1})", "0.1 nil nil"},
      {R"({"Number1": 0.10000000000000002, "Checkbox1": true})", "0.1 nil true"},
      {R"({"Number1": 0.1, "Checkbox1": true})", "0.1 nil true"},
      {R"({"Number1": 0.1, "Checkbox1": false})", "0.1 nil false"}};
  for (const auto& [body, told] : calls) {
    std::string given = body;
    given.insert(1, given == "{}" ? R"("ShortDescription": "unlike")" : R"("ShortDescription": "unlike", )");
    desk.done("admin", "POST", "incident", given);
  }
  const Reply page = desk.get("admin", "call", {{"$select", "@All"}, {"$filter", "ShortDescription == \"unlike\""}});
  const auto rows = page.body.find("results")->items();
  REQUIRE(rows.size() == calls.size());
  for (std::size_t i = 0; i < rows.size(); ++i) CHECK(text_of(rows[i], "All") == calls[i].second);

  const Reply history = desk.get("admin", "call-history", {{"$select", "TicketId,Order,@Key"}, {"$top", "5000"}});
  const auto lines = history.body.find("results")->items();
  REQUIRE(lines.size() > 600);
  std::size_t equal = 0;
  for (const json::Node& line : lines)
    equal += text_of(line, "Key") == text_of(line, "TicketId") + "/" + text_of(line, "Order") ? 1 : 0;
  CHECK(equal == lines.size());
}
