// What a session sees (API rules 6.10, 2.10): rows that are not its own are missing from every path to them,
// and an entity that it may not read is refused.
#include "shared_desk.h"
#include "tests/support/paths.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

std::string count(std::string_view login, std::string_view path, Query query = {}) {
  query.emplace_back("$count", "true");
  const Reply reply = desk().get(login, path, query);
  INFO(login << ": " << path << " -> " << reply.raw.substr(0, 300));
  REQUIRE(reply.status == 200);
  return reply.raw;
}

std::string count_where(std::string_view login, std::string_view path, std::string_view filter) {
  return count(login, path, {{"$filter", std::string(filter)}});
}

std::string created(std::string_view login, std::string_view body) {
  return desk().done(login, "POST", "call", body)["Ref"];
}

}  // namespace

TEST_CASE("a user sees the calls of its own, however it asks") {
  const std::string own = created("user", R"({"ShortDescription": "mine"})");
  const std::string other = created("analyst", R"({"ShortDescription": "theirs", "User": 5})");
  CHECK(count("user", "call") == count_where("admin", "call", "User == 4"));
  CHECK(count_where("user", "call", "User != 4") == "0");
  CHECK(count_where("user", "call", "ShortDescription == \"theirs\"") == "0");
  CHECK(desk().get("user", "call/" + own).status == 200);
  const Reply hidden = desk().get("user", "call/" + other);
  const Reply missing = desk().get("user", "call/99999999");
  CHECK(hidden.status == 404);
  CHECK(hidden.raw == missing.raw);
  for (const char* below : {"/history", "/attachment", "/$metadata", "/$options"})
    CHECK(desk().get("user", "call/" + other + below).status == 404);
  CHECK(desk().get("user", "call/" + own + "/history").status == 200);
}

TEST_CASE("a hidden record is null where others lead to it, and no filter, order or join tells it from a missing one") {
  const std::string own = created("user", R"({"ShortDescription": "x"})");
  desk().done("analyst", "PUT", "call/" + own + "/take-ownership");
  const Reply call = desk().get("user", "call/" + own, {{"$select", "Analyst.Name,User.Name"}});
  INFO(call.raw);
  REQUIRE(call.status == 200);
  CHECK(call.raw.find("\"Analyst\":{") == std::string::npos);
  CHECK(call.raw.find("\"User\":{") != std::string::npos);
  const std::string one = "Ref == " + own;
  CHECK(count_where("user", "call", one + " && Analyst.Name == null") == "1");
  CHECK(count_where("user", "call", one + " && Analyst.Name.Contains(\"a\")") == "0");
  CHECK(count_where("analyst", "call", one + " && Analyst.Name == null") == "0");
  const std::string join = "P:Person(Ref == Analyst)";
  CHECK(count("user", "call", {{"$innerJoin", join}, {"$filter", one}}) == "0");
  CHECK(count("user", "call", {{"$leftJoin", join}, {"$filter", one}}) == "1");
  CHECK(count("user", "call", {{"$leftJoin", join}, {"$filter", one + " && P.Ref == null"}}) == "1");
  CHECK(count("analyst", "call", {{"$innerJoin", join}, {"$filter", one}}) == "1");
}

TEST_CASE("what is not public of a call's history is for those who work on it") {
  const std::string own = created("user", R"({"ShortDescription": "x"})");
  desk().done("analyst", "PUT", "call/" + own + "/add-note", R"({"Description": "for us", "IsPublic": false})");
  desk().done("analyst", "PUT", "call/" + own + "/add-note", R"({"Description": "for you", "IsPublic": true})");
  const std::string notes = R"(Description == "for us" || Description == "for you")";
  CHECK(count_where("analyst", "call/" + own + "/history", notes) == "2");
  CHECK(count_where("user", "call/" + own + "/history", notes) == "1");
  CHECK(count_where("user", "call-history", "Description == \"for us\"") == "0");
}

TEST_CASE("an entity that a session may not read is refused, and may not be linked") {
  for (const char* path :
       {"group-member", "group-member/1", "cmdb-link", "cmdb-link/1/attachment", "organization/1/person"}) {
    const Reply reply = desk().get("user", path);
    INFO(path << " -> " << reply.raw);
    CHECK((reply.status == 403 || reply.status == 404));
  }
  const Reply refused = desk().get("user", "group");
  CHECK(refused.status == 403);
  CHECK(refused["SubStatus"] == "NotAllowed");
  CHECK(desk().send("user", "PUT", "group/1", R"({"Name": "x"})").status == 403);
  const Reply linked = desk().send("user", "POST", "call", R"({"ShortDescription": "x", "Service": 99999})");
  CHECK(linked.status == 400);
}

TEST_CASE("published knowledge is for users, drafts are not, nor what only others are asked to approve") {
  CHECK(count("user", "knowledge") == count_where("admin", "knowledge", "State == 2"));
  CHECK(count("user", "approval") == count_where("admin", "approval", "Approver == 4"));
  CHECK(count("user", "person") == "1");
  CHECK(desk().get("user", "person/4").status == 200);
  CHECK(desk().get("user", "person/5").status == 404);
}

TEST_CASE("what a child's own condition hides is hidden among the records of its parent too") {
  const test::TemporaryFolder folder;
  const std::string scripts = folder / "scripts";
  std::filesystem::copy(test::source_folder() + "/scripts", scripts, std::filesystem::copy_options::recursive);
  std::filesystem::create_directories(scripts + "/incident/augmenters");
  std::ofstream(scripts + "/call/actions/read.lua")
      << R"(return action "read" { allowed = { Analyst = true, User = "@IsMine" } })";
  std::ofstream(scripts + "/call/augmenters/IsMine.lua")
      << R"(return condition "IsMine" { filter = "User == @UserId" })";
  std::ofstream(scripts + "/incident/augmenters/IsMine.lua")
      << R"(return condition "IsMine" { filter = "User == @UserId && ShortDescription == \"shown\"" })";
  const Desk own({"--set", "scripts=" + scripts});
  const auto incident = [&](const std::string& text) {
    return own.done("analyst", "POST", "incident", R"({"User": 4, "ShortDescription": ")" + text + "\"}")["Ref"];
  };
  const std::string shown = incident("shown"), hidden = incident("hidden");
  for (const std::string entity : {"call", "incident"}) {
    INFO(entity);
    CHECK(own.get("user", entity + "/" + shown).status == 200);
    CHECK(own.get("user", entity + "/" + hidden).status == 404);
    CHECK(own.get("user", entity, {{"$filter", "Ref == " + hidden}, {"$count", "true"}}).raw == "0");
    CHECK(own.get("user", entity, {{"$filter", "Ref == " + shown}, {"$count", "true"}}).raw == "1");
  }
}

TEST_CASE("rows that a session does not see count for nothing in what a filter asks of a list") {
  const std::string own = created("user", R"({"ShortDescription": "lists"})");
  desk().done("analyst", "PUT", "call/" + own + "/add-note", R"({"Description": "kept", "IsPublic": false})");
  desk().done("analyst", "PUT", "call/" + own + "/add-note", R"({"Description": "told", "IsPublic": true})");
  const std::string one = "Ref == " + own + " && ";
  const auto holds = [&](std::string_view login, const std::string& filter) {
    const bool found = count_where(login, "call", one + filter) == "1";
    CHECK(found != (count_where(login, "call", one + "!(" + filter + ")") == "1"));
    return found;
  };
  CHECK(holds("analyst", R"(history.Any(Description == "kept"))"));
  CHECK_FALSE(holds("user", R"(history.Any(Description == "kept"))"));
  CHECK(holds("user", R"(history.Any(Description == "told"))"));
  CHECK(holds("user", R"(history.All(Description != "kept"))"));
  CHECK_FALSE(holds("analyst", R"(history.All(Description != "kept"))"));
  const auto rows = [&](std::string_view login) { return count(login, "call/" + own + "/history"); };
  CHECK(holds("analyst", "history.Count() == " + rows("analyst")));
  CHECK(holds("user", "history.Count() == " + rows("user")));
  CHECK(rows("user") != rows("analyst"));
  CHECK(holds("analyst", "attachment.Count() == 0 && !attachment.Any()"));
  CHECK(holds("analyst", R"(history.Any(Analyst.Name != null && Description == "told"))"));
}

TEST_CASE("a filter on a list is refused exactly where the entity of its rows may not be read at all") {
  struct List {
    const char *parent, *name, *entity;
  };
  constexpr List lists[] = {{"call", "history", "call-history"}, {"call", "attachment", "attachment"},
                            {"request", "task", "task"},         {"request", "history", "request-history"},
                            {"group", "member", "group-member"}, {"request-template", "task", "request-template-task"},
                            {"role", "member", "person-role"},   {"webhook", "delivery", "webhook-delivery"}};
  int refused = 0;
  for (const char* login : {"admin", "analyst", "user"})
    for (const List& list : lists) {
      if (desk().get(login, list.parent, {{"$top", "1"}}).status != 200) continue;
      const int wanted = desk().get(login, list.entity, {{"$top", "1"}}).status;
      const std::string any = std::string(list.name) + ".Any()";
      const Reply reply = desk().get(login, list.parent, {{"$filter", any}, {"$top", "1"}});
      INFO(login << ": " << list.parent << " " << any << " -> " << reply.raw.substr(0, 300));
      CHECK(reply.status == wanted);
      refused += wanted == 403 ? 1 : 0;
    }
  CHECK(refused > 0);
}
