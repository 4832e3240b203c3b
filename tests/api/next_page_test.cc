// The link to the next page (decision 0040), as clients follow it.
#include "shared_desk.h"

#include <catch2/catch.hpp>

#include <algorithm>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

// The url of the next page below v1; empty where there is none.
std::string next_of(const Reply& page) {
  const json::Node* links = page.body.find("_links");
  if (!links) return {};
  REQUIRE(links->find("Next") != nullptr);
  const std::string url = text_of(links->find("Next")->items().front(), "_self");
  REQUIRE(url.starts_with("api:v1/"));
  return url.substr(std::string("api:v1/").size());
}

std::vector<std::string> refs_of(const Reply& page) {
  std::vector<std::string> refs;
  for (const json::Node& row : page.body.find("results")->items()) refs.push_back(text_of(row, "Ref"));
  return refs;
}

Reply page_of(std::string_view login, const std::string& path, const Query& query = {}) {
  const Reply page = desk().get(login, path, query);
  INFO(login << ": " << path << " -> " << page.raw.substr(0, 300));
  REQUIRE(page.status == 200);
  return page;
}

std::vector<std::string> walked(std::string_view login, const std::string& path, Query query, const std::string& top) {
  query.emplace_back("$top", top);
  std::vector<std::string> all;
  for (Reply page = page_of(login, path, query);; page = page_of(login, next_of(page))) {
    for (std::string& ref : refs_of(page)) all.push_back(std::move(ref));
    if (next_of(page).empty()) return all;
    CHECK(refs_of(page).size() == std::stoul(top));
    REQUIRE(all.size() < 10000);
  }
}

Reply refused(std::string_view login, const std::string& path) {
  const Reply reply = desk().get(login, path);
  INFO(path << " -> " << reply.raw);
  CHECK(reply.status == 400);
  CHECK(reply["Option"] == "$after");
  return reply;
}

}  // namespace

TEST_CASE("following Next gives every row of a search once, in its order") {
  const std::vector<Query> queries{{},
                                   {{"$orderby", "LoggedDate desc"}},
                                   {{"$orderby", "DueDate desc,Priority.Name"}},
                                   {{"$orderby", "DueDate"}},
                                   {{"$orderby", "Analyst.Name desc,ShortDescription"}},
                                   {{"$orderby", "Priority"}, {"$filter", "State not in (1) && User != null"}},
                                   {{"$filter", "ShortDescription.Contains(\"vid\")"}},
                                   {{"$partition", "1"}, {"$orderby", "UpdatedDate desc"}}};
  for (const char* login : {"admin", "analyst", "user"})
    for (const Query& query : queries) {
      Query whole = query;
      whole.emplace_back("$top", "100000");
      const Reply all = page_of(login, "call", whole);
      INFO(login << " " << encoded(query));
      CHECK(next_of(all).empty());
      CHECK(walked(login, "call", query, "7") == refs_of(all));
    }
}

TEST_CASE("Next is there exactly where more rows are") {
  const std::size_t all = refs_of(page_of("admin", "call-priority")).size();
  CHECK(next_of(page_of("admin", "call-priority")).empty());
  CHECK(next_of(page_of("admin", "call-priority", {{"$top", std::to_string(all)}})).empty());
  const Reply page = page_of("admin", "call-priority", {{"$top", std::to_string(all - 1)}});
  CHECK(refs_of(page).size() == all - 1);
  const Reply last = page_of("admin", next_of(page));
  CHECK(refs_of(last).size() == 1);
  CHECK(next_of(last).empty());
  CHECK(next_of(page_of("admin", "call", {{"$top", "1"}, {"$filter", "Ref == -1"}})).empty());
}

TEST_CASE("Next keeps the options of the query, but for the place where it begins") {
  const Reply page =
      page_of("admin", "call",
              {{"$skip", "3"}, {"$top", "2"}, {"$select", "Ref,User.Name"}, {"$inlinecount", "true"}, {"x", "y"}});
  const std::string url = next_of(page);
  CHECK(url.find("$skip") == std::string::npos);
  CHECK(url.find("x=y") == std::string::npos);
  const Reply next = page_of("admin", url);
  CHECK(next["__count"] == page["__count"]);
  CHECK(refs_of(next) == refs_of(page_of("admin", "call", {{"$skip", "5"}, {"$top", "2"}})));
  CHECK(next.body.find("results")->items().front().find("User") != nullptr);
  // As a client writes it that does not encode '$'.
  const std::string plain = next_of(page_of("admin", "call?$orderby=Ref%20desc&$SKIP=4&$top=2&x=y"));
  CHECK(plain.starts_with("call?$orderby=Ref%20desc&$top=2&$after="));
  CHECK(plain.find('$', plain.find("$after=") + 1) == std::string::npos);
  CHECK(refs_of(page_of("admin", plain)) ==
        refs_of(page_of("admin", "call", {{"$orderby", "Ref desc"}, {"$skip", "6"}, {"$top", "2"}})));
  const Reply after = page_of("admin", next_of(next));
  CHECK(next_of(next).find("$after=", next_of(next).find("$after=") + 1) == std::string::npos);
  CHECK(refs_of(after) == refs_of(page_of("admin", "call", {{"$skip", "7"}, {"$top", "2"}})));
}

TEST_CASE("lists below a record and joined rows go on behind each other too") {
  const std::string call = desk().done("analyst", "POST", "call", R"({"ShortDescription": "walk"})")["Ref"];
  for (int i = 0; i < 5; ++i)
    desk().done("analyst", "PUT", "call/" + call + "/add-note", R"({"Description": "n", "IsPublic": true})");
  const auto orders = [&](const Reply& page) {
    std::vector<std::string> all;
    for (const json::Node& row : page.body.find("results")->items()) all.push_back(text_of(row, "Order"));
    return all;
  };
  const std::string list = "call/" + call + "/history";
  const Query select{{"$select", "Order"}, {"$orderby", "Date desc"}, {"$top", "2"}};
  std::vector<std::string> found;
  for (Reply page = page_of("analyst", list, select);; page = page_of("analyst", next_of(page))) {
    for (std::string& order : orders(page)) found.push_back(std::move(order));
    if (next_of(page).empty()) break;
  }
  const Query whole{{"$select", "Order"}, {"$orderby", "Date desc"}};
  CHECK(found == orders(page_of("analyst", list, whole)));
  const Query joined{
      {"$leftJoin", "H:CallHistory(TicketId==Ref)"}, {"$orderby", "H.Date desc"}, {"$filter", "Ref == " + call}};
  CHECK(walked("analyst", "call", joined, "2") == refs_of(page_of("analyst", "call", joined)));
}

TEST_CASE("rows that come and go while a walk goes on move none of the others") {
  const Query query{{"$filter", "LastName.StartsWith(\"walker\")"}, {"$orderby", "LastName"}, {"$top", "2"}};
  const auto add = [](const std::string& name) {
    return desk().done("admin", "POST", "person", "{\"LastName\": \"" + name + "\"}")["Ref"];
  };
  const std::string a = add("walker a"), b = add("walker b"), c = add("walker c"), d = add("walker d");
  const Reply first = page_of("admin", "person", query);
  CHECK(refs_of(first) == std::vector{a, b});
  add("walker aa");
  const std::string cc = add("walker cc");
  desk().done("admin", "DELETE", "person/" + b);
  const Reply second = page_of("admin", next_of(first));
  CHECK(refs_of(second) == std::vector{c, cc});
  CHECK(refs_of(page_of("admin", next_of(second))) == std::vector{d});
}

TEST_CASE("a token that was changed, or is another query's or another person's, is refused with words") {
  const Reply page = page_of("admin", "call", {{"$top", "2"}, {"$orderby", "LoggedDate desc"}});
  const std::string url = next_of(page);
  const std::size_t token = url.find("$after=") + 7;
  for (const std::size_t at : {token, token + 30, url.size() - 2}) {
    std::string changed = url;
    changed[at] = changed[at] == 'A' ? 'B' : 'A';
    CHECK(refused("admin", changed)["Message"].find("the link was changed") != std::string::npos);
  }
  for (const std::string& foreign : {std::string("x"), std::string(), std::string("%00"), std::string(200, 'A')}) {
    const Reply reply = desk().get("admin", "call?$after=" + foreign);
    INFO(foreign << " -> " << reply.raw);
    CHECK(reply.status == 400);
  }
  refused("admin", url.substr(0, url.size() - 4));
  const std::string bare = url.substr(token);
  for (const std::string& other :
       {"call?$after=" + bare, "incident?$orderby=LoggedDate%20desc&$after=" + bare,
        "call?$orderby=LoggedDate&$after=" + bare, "call?$filter=Ref%3E0&$orderby=LoggedDate%20desc&$after=" + bare})
    CHECK(refused("admin", other)["Message"].find("another query") != std::string::npos);
  CHECK(refused("analyst", url)["Message"].find("another person") != std::string::npos);
  CHECK(desk().get("admin", url + "&$skip=1").status == 400);
  CHECK(desk().get("admin", "call/1?$after=" + bare).status == 400);
  CHECK(refs_of(page_of("admin", "call?$top=1&$orderby=LoggedDate%20desc&$after=" + bare)) ==
        refs_of(page_of("admin", "call", {{"$top", "1"}, {"$skip", "2"}, {"$orderby", "LoggedDate desc"}})));
}

TEST_CASE("an index leads to the place where a page begins") {
  const Reply page = page_of("admin", "call", {{"$top", "5"}, {"$orderby", "LoggedDate desc"}});
  const Reply plan = page_of("admin", next_of(page) + "&$explain");
  const std::string steps = plan.raw.substr(plan.raw.find("QueryPlan"));
  INFO(plan.raw);
  CHECK(steps.find("LoggedDate") != std::string::npos);
  CHECK(plan.raw.find("\"LoggedDate\\\" <= ?") != std::string::npos);
  CHECK(plan.raw.find("OtherRows") != std::string::npos);
}

TEST_CASE("whatever a page shows and is ordered by, and however its options are spelled, it leads on") {
  const Query queries[] = {
      {{"$select", "Ref,@AssignmentState,User.Name"}, {"$orderby", "Analyst desc,ShortDescription"}},
      {{"$orderby", "Checkbox1 desc,UserId,Number1"}},
      {{"$orderby", "Ref desc"}},
      {{"$OrderBy", "Partition,LoggedDate desc"}, {"$Filter", "ShortDescription != \"\xC3\xA4 + & %\""}},
      {{"$orderby",
        "Type,Service,Group,Analyst,User,Organization,State,Priority,DueDate,ClosedDate,Number1,Number2,"
        "Checkbox1,CallRef,Name,LoggedDate"}}};
  for (const Query& query : queries) {
    Query whole = query;
    whole.emplace_back("$top", "2147483647");
    const Reply all = page_of("analyst", "call", whole);
    INFO(encoded(query));
    CHECK(walked("analyst", "call", query, "9") == refs_of(all));
  }
  const Query history{{"$select", "TicketId,Order"}, {"$orderby", "ToState desc"}, {"$top", "40"}};
  std::vector<std::string> found;
  const auto take = [&](const Reply& page) {
    for (const json::Node& row : page.body.find("results")->items())
      found.push_back(text_of(row, "TicketId") + "/" + text_of(row, "Order"));
  };
  Reply page = page_of("analyst", "call-history", history);
  for (take(page); !next_of(page).empty(); take(page)) page = page_of("analyst", next_of(page));
  const std::size_t rows = found.size();
  std::sort(found.begin(), found.end());
  CHECK(std::unique(found.begin(), found.end()) == found.end());
  CHECK(std::to_string(rows) == desk().get("analyst", "call-history", {{"$count", "true"}}).raw);
}

TEST_CASE("an order by texts that no url could hold has no link, and its pages are reached by $skip") {
  const std::string long_text(9000, 'x');
  for (const char* end : {"a", "b"})
    desk().done("analyst", "POST", "call",
                "{\"ShortDescription\": \"long\", \"Solution\": \"" + long_text + end + "\"}");
  const Query query{{"$filter", "ShortDescription == \"long\""}, {"$orderby", "Solution"}, {"$top", "1"}};
  const Reply page = page_of("analyst", "call", query);
  CHECK(refs_of(page).size() == 1);
  CHECK(next_of(page).empty());
  Query second = query;
  second.emplace_back("$skip", "1");
  CHECK(refs_of(page_of("analyst", "call", second)) != refs_of(page));
}
