// Computed columns over a page: each row has its own value, and rows that need the same are asked for once.
#include "desk.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>

using namespace callisto;
using namespace callisto::tests;

namespace {

// How often the function of an extension ran so far, of all who asked.
int runs_of(const Desk& desk, const std::string& extension) {
  const std::string metrics = desk.server().send("GET", "/metrics").body;
  int runs = 0;
  for (std::size_t at = 0, end = 0; (end = metrics.find('\n', at)) != metrics.npos; at = end + 1) {
    const std::string line = metrics.substr(at, end - at);
    if (line.starts_with("callisto_script_duration_seconds_count{") &&
        line.find("/" + extension + ".lua\"") != line.npos)
      runs += std::stoi(line.substr(line.rfind(' ') + 1));
  }
  return runs;
}

}  // namespace

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

// On PostgreSQL, where others write too, it is kept for a second at most.
TEST_CASE("an answer is kept while what its script knows of the session stays, unless that asked for the time",
          "[sqlite][caches]") {
  const TemporaryFolder scripts;
  std::filesystem::create_directories(scripts.path() + "/call/augmenters");
  const auto add = [&](const std::string& name, const std::string& first, const std::string& answer) {
    std::ofstream(scripts.path() + "/call/augmenters/" + name + ".lua")
        << "return extension \"" << name
        << "\" { description = \"x\", returns = \"Text\", needs = { \"State\" }, value = function(call, session)\n"
        << "  " << first << "\n  return tostring(" << answer << ")\nend }\n";
  };
  add("Kept", "", "call.State");
  add("Timed", "local now = datetime.now()", "call.State");
  add("Thrown", "local chance = math.random(6)", "call.State");
  add("Groups", "", "#session.groups");
  add("Other", "", "call.State .. ' ' .. session.user_id");
  Desk desk({"--set", "scripts=scripts," + scripts.path()});
  std::map<std::string, std::set<std::string>> seen;  // by extension
  const auto look = [&](const std::string& login) {
    const Reply page =
        desk.get(login, "call", {{"$select", "State,@Kept,@Timed,@Thrown,@Groups,@Other"}, {"$top", "3"}});
    REQUIRE(page.status == 200);
    seen.clear();
    for (const json::Node& row : page.body.find("results")->items()) {
      CHECK(text_of(row, "Other").starts_with(text_of(row, "State") + ' '));
      for (const char* name : {"Kept", "Timed", "Thrown", "Groups", "Other"}) seen[name].insert(text_of(row, name));
    }
    return seen;
  };
  const auto first = look("admin");
  const int kept = runs_of(desk, "Kept"), timed = runs_of(desk, "Timed"), thrown = runs_of(desk, "Thrown");
  CHECK(kept > 0);
  for (int i = 0; i < 50; ++i) {
    if (i == 20) desk.done("admin", "POST", "incident", R"({"ShortDescription": "another table"})");
    look("admin");
  }
  CHECK(runs_of(desk, "Kept") == kept);
  CHECK(runs_of(desk, "Timed") >= timed + 50);
  CHECK(runs_of(desk, "Thrown") >= thrown + 50);
  CHECK(look("analyst")["Other"] != first.at("Other"));

  const std::string me = desk.refs("admin", "person", {{"$filter", "LoginId == \"ADMIN\""}}).at(0);
  const int groups = std::stoi(*first.at("Groups").begin());
  const Reply mine = desk.get("admin", "group-member", {{"$filter", "Person == " + me}, {"$select", "Group"}});
  std::set<std::string> taken;
  for (const json::Node& row : mine.body.find("results")->items()) taken.insert(text_of(row, "Group"));
  REQUIRE(taken.size() == static_cast<std::size_t>(groups));
  for (const std::string& group : desk.refs("admin", "group", {{"$top", "100"}})) {
    if (taken.count(group) > 0) continue;
    desk.done("admin", "POST", "group-member", R"({"Person": )" + me + R"(, "Group": )" + group + "}");
    break;
  }
  CHECK(look("admin")["Groups"] == std::set<std::string>{std::to_string(groups + 1)});
}

TEST_CASE("what depends on a list of the session that depends on the time is asked for again") {
  const TemporaryFolder scripts;
  for (const char* folder : {"/call/augmenters", "/session-lists", "/common/augmenters"})
    std::filesystem::create_directories(scripts.path() + folder);
  const auto add = [&](const std::string& file, const std::string& text) {
    std::ofstream(scripts.path() + "/" + file) << text;
  };
  add("common/augmenters/Turn.lua", R"(return token "Turn" { description = "Another one.", returns = "Integer",
  value = function() return math.random(100) end })");
  add("common/augmenters/Turns.lua", R"(return token "Turns" {
  description = "How many.", returns = "Integer", value = function(session) return #session.turns end })");
  add("session-lists/turns.lua",
      R"(return session_list "turns" { entity = "call", where = "Ref <= @Turn", select = "Ref" })");
  add("call/augmenters/Seen.lua", R"(return extension "Seen" {
  description = "How many.", returns = "Integer", needs = { "State" },
  value = function(call, session) return #session.turns end })");
  const Desk desk({"--set", "scripts=scripts," + scripts.path()});
  for (const char* filter : {"Ref > 0", "Ref != @Turns"}) {
    std::set<std::string> seen;
    for (int i = 0; i < 50; ++i) {
      const Reply page = desk.get("admin", "call", {{"$select", "@Seen"}, {"$filter", filter}, {"$top", "1"}});
      REQUIRE(page.status == 200);
      seen.insert(text_of(page.body.find("results")->items().at(0), "Seen"));
    }
    CAPTURE(filter);
    CHECK(seen.size() > 1);
  }
}
