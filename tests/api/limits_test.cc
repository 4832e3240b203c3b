// What a request may cost is bounded (API rule 2.8): at each limit it is answered, one step beyond it is a quick
// 400.
#include "bad_input.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

std::string repeated(const std::string& item, const std::string& separator, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? separator : "") + item;
  return all;
}

// item1, item2 ...: `%` stands for the number.
std::string numbered(const std::string& pattern, const std::string& separator, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    std::string item = pattern;
    for (std::size_t at; (at = item.find('%')) != item.npos;) item.replace(at, 1, std::to_string(i));
    all += (i > 0 ? separator : "") + item;
  }
  return all;
}

// `&&` and `||` in turn, each level in parentheses.
std::string nested(int levels, const std::string& inner) {
  std::string filter = inner;
  for (int i = 0; i < levels; ++i) filter = "(Ref > " + std::to_string(i) + (i % 2 ? " && " : " || ") + filter + ")";
  return filter;
}

// Paths over more and more lookups.
std::string relations(int count, const std::string& suffix, const std::string& separator) {
  static const std::vector<std::string> paths{"User",
                                              "Analyst",
                                              "Group",
                                              "Service",
                                              "Priority",
                                              "Organization",
                                              "Location",
                                              "LoggedBy",
                                              "Reason",
                                              "Partition",
                                              "Status",
                                              "User.Manager",
                                              "User.Location",
                                              "Impact",
                                              "Urgency",
                                              "Service.Location",
                                              "Analyst.Manager",
                                              "Analyst.Location",
                                              "Type",
                                              "ReceivingGroup",
                                              "LoggedBy.Manager",
                                              "LoggedBy.Location",
                                              "LockedBy",
                                              "User.Manager.Manager",
                                              "LockedBy.Manager",
                                              "LockedBy.Location",
                                              "User.Manager.Location",
                                              "Analyst.Manager.Manager",
                                              "Analyst.Manager.Location",
                                              "LoggedBy.Manager.Manager",
                                              "LoggedBy.Manager.Location",
                                              "User.Organization",
                                              "Analyst.Organization"};
  REQUIRE(count <= static_cast<int>(paths.size()));
  std::string all;
  for (int i = 0; i < count; ++i) all += (i > 0 ? separator : "") + paths[static_cast<std::size_t>(i)] + suffix;
  return all;
}

void check_accepted(const Query& query) {
  Query one = query;
  one.emplace_back("$inlinecount", "true");
  const Answer answer = get("analyst", "v1/call", one);
  INFO(query.front().first << " = " << query.front().second.substr(0, 200) << " -> " << answer.body.substr(0, 300));
  CHECK(answer.status == 200);
}

void check_refused(const Query& query, const std::string& message) {
  const Answer answer = get("analyst", "v1/call", query);
  INFO(query.front().first << " = " << query.front().second.substr(0, 200) << " -> " << answer.body.substr(0, 300));
  CHECK(answer.status == 400);
  CHECK(answer.body.size() < 1000);  // however long the text
  CHECK(member(check_refusal(answer), "Message").text().find(message) != std::string::npos);
}

}  // namespace

TEST_CASE("filters nest 24 levels deep, whatever stands innermost") {
  for (const char* inner : {"Ref > 0", "@SlmBreached", "User.Manager.Name.Contains(\"x\")"}) {
    check_accepted({{"$filter", nested(24, inner)}});
    check_refused({{"$filter", nested(25, inner)}}, "more than 24 levels");
  }
  check_accepted({{"$filter", repeated("!", "", 24) + "@SlmBreached"}});
  check_refused({{"$filter", repeated("!", "", 25) + "@SlmBreached"}}, "more than 24 levels");
  check_accepted({{"$filter", nested(23, "!@SlmBreached")}});
  check_refused({{"$filter", repeated("(", "", 8000)}}, "more than 24 levels");
  check_refused({{"$filter", repeated("!", "", 8000)}}, "more than 24 levels");
}

TEST_CASE("a filter has 500 nodes, and chains of conditions stay within what the database can parse") {
  check_accepted({{"$filter", numbered("Ref == %", " || ", 250)}});
  check_refused({{"$filter", numbered("Ref == %", "||", 251)}}, "more than 500");
  for (const char* condition : {"@SlmBreached", "!@SlmBreached"})
    for (const char* connective : {" && ", " || "}) check_accepted({{"$filter", repeated(condition, connective, 166)}});
  check_accepted({{"$filter", numbered("Description.Contains(\"q%\")", "||", 250)}});
}

TEST_CASE("long texts are refused by their length, and shown by their beginning") {
  check_accepted({{"$filter", "Description.Contains(\"" + std::string(8100, 'a') + "\")"}});
  check_refused({{"$filter", "Description.Contains(\"" + std::string(8192, 'a') + "\")"}}, "longer than 8192 bytes");
  check_refused({{"$filter", std::string(8000, 'a') + " == 1"}}, "is no property of call");
  check_refused({{"$filter", "Ref == " + std::string(8000, '1')}}, "is out of range");
  check_refused({{"$filter", "Ref == 1e" + std::string(8000, '9')}}, "is out of range");
  check_refused({{"$filter", "CreatedDate > @DateTime(" + std::string(8000, '1') + ")"}}, "@DateTime");
  check_refused({{"$select", std::string(20'000, 'a')}}, "is no property of call");
  check_refused({{"$orderby", std::string(20'000, 'a')}}, "is no property of call");
  check_refused({{"$leftJoin", "H:" + std::string(20'000, 'a') + "(Ref == Ref)"}}, "there is no entity");
  check_refused({{"$top", std::string(20'000, '1')}}, "$top: found '1111");
  check_refused({{"$" + std::string(20'000, 'a'), "1"}}, "There is no option '$aaa");
}

TEST_CASE("relations, selected paths, hops and sort keys have their limits") {
  check_accepted({{"$select", relations(32, ".Name", ",")}});
  check_accepted({{"$select", relations(32, ".Name", ",")},
                  {"$filter", relations(32, ".Name == \"x\"", "||")},
                  {"$orderby", relations(16, ".Name", ",")}});
  check_refused({{"$select", relations(33, ".Name", ",")}}, "more than 32 relations");
  check_accepted({{"$leftJoin", numbered("H%:CallHistory(TicketId == Ref && Order == 1)", ",", 32)}});
  check_accepted({{"$leftJoin", numbered("H%:CallHistory(TicketId == Ref && Order == 1)", ",", 32)},
                  {"$orderby", numbered("H%.Action", ",", 16)},
                  {"$top", "3"}});
  check_accepted({{"$innerJoin", numbered("H%:CallHistory(TicketId == Ref && Order == 1)", ",", 32)}});
  check_refused({{"$leftJoin", numbered("H%:CallHistory(TicketId == Ref)", ",", 33)}}, "more than 32 relations");
  check_refused({{"$leftJoin", "H:CallHistory(" + repeated("TicketId==Ref", "&&", 501) + ")"}}, "more than 500");
  check_accepted({{"$select", numbered("A%:User.Name", ",", 200)}});
  check_refused({{"$select", numbered("A%:User.Name", ",", 201)}}, "more than 200 selected paths");
  check_accepted({{"$select", "User" + repeated(".Manager", "", 5) + ".Name"}});
  check_refused({{"$select", "User" + repeated(".Manager", "", 6) + ".Name"}}, "at most 6 lookups");
  check_refused({{"$select", "User" + repeated(".Manager", "", 1500)}}, "at most 6 lookups");
  check_accepted({{"$orderby", relations(16, ".Name desc", ",")}});
  check_refused({{"$orderby", repeated("Ref", ",", 17)}}, "more than 16 sort keys");
  check_refused({{"$select", repeated("", ",", 10'000)}}, "column 1: found ','");
}

TEST_CASE("many parameters and many joins given apart cost no more than their length") {
  Query query{{"$top", "1"}};
  for (int i = 0; i < 2000; ++i) query.emplace_back("p" + std::to_string(i), "1");
  check_accepted(query);
  Query joins;
  for (int i = 0; i < 33; ++i)
    joins.emplace_back("$leftJoin", "H" + std::to_string(i) + ":CallHistory(TicketId == Ref)");
  check_refused(joins, "more than 32 relations");
}

TEST_CASE("an answer to a search has a limit, and tells how to stay below it") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "limits.answer=4K"});
  const Client analyst(server, server.token("analyst", "session-type:Analyst"));
  const Answer over = analyst.get("v1/call", {{"$top", "50"}});
  CHECK(over.status == 400);
  CHECK(over.body.find("larger than 4096 bytes. Ask for fewer rows by $top") != std::string::npos);
  CHECK(over.body.find("results") == std::string::npos);
  CHECK(analyst.get("v1/call", {{"$top", "50"}, {"$select", "Ref"}}).status == 200);
  CHECK(analyst.get("v1/call", {{"$count", "true"}}).status == 200);
}

TEST_CASE("the limits of queries are settings, and what is at their highest is answered") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "limits.filter=64K", "--set", "limits.nodes=2000",
                                             "--set", "limits.nesting=40", "--set", "limits.relations=60", "--set",
                                             "limits.paths=1000", "--set", "limits.sort_keys=64"});
  const Client analyst(server, server.token("analyst"));
  const auto status = [&](const Query& query) { return analyst.get("v1/call", query).status; };
  CHECK(status({{"$filter", repeated("Ref == 1", " || ", 1000)}}) == 200);
  CHECK(status({{"$filter", repeated("Ref == 1", " || ", 1001)}}) == 400);
  CHECK(status({{"$filter", nested(40, "Ref == 1")}}) == 200);
  CHECK(status({{"$filter", nested(41, "Ref == 1")}}) == 400);
  Query joins;
  for (int i = 0; i < 59; ++i) joins.emplace_back("$leftJoin", "P" + std::to_string(i) + ":Person(Ref == User)");
  CHECK(status(joins) == 200);

  const ServerProcess strict(folder.path() + "/strict",
                             {"--samples", "--set", "limits.nodes=50", "--set", "limits.sort_keys=1"});
  const Client other(strict, strict.token("analyst"));
  CHECK(other.get("v1/call", {{"$filter", repeated("Ref == 1", " || ", 25)}}).status == 200);
  const Answer refused = other.get("v1/call", {{"$filter", repeated("Ref == 1", " || ", 26)}});
  CHECK(refused.status == 400);
  CHECK(refused.body.find("more than 50 comparisons") != std::string::npos);
  CHECK(other.get("v1/call", {{"$orderby", "Ref,State"}}).status == 400);
}

TEST_CASE("a limit beyond what the databases take is refused with the highest") {
  for (const auto& [setting, most] : {std::pair{"limits.nesting=41", "at most 40"},
                                      {"limits.relations=61", "at most 60"},
                                      {"limits.filter=65K", "up to 64K"},
                                      {"limits.nodes=49", "at least 50"}}) {
    const Finished refused = run_program({"check", "--set", setting});
    INFO(refused.output);
    CHECK(refused.exit_status == 2);
    CHECK(refused.output.find(most) != std::string::npos);
  }
}
