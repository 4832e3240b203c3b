// Searches as a client sends them: what comes back, in which shape, and what is refused with which words.
#include "server_process.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const json::Node& member(const json::Node& node, std::string_view name) {
  const json::Node* found = node.find(name);
  INFO("member " << name);
  REQUIRE(found != nullptr);
  return *found;
}

std::vector<std::string> refs(const json::Node& page) {
  std::vector<std::string> keys;
  for (const json::Node& row : member(page, "results").items()) keys.push_back(member(row, "Ref").text());
  return keys;
}

int count(std::string_view login, std::string_view path, Query query = {}) {
  query.emplace_back("$count", "true");
  const Answer answer = get(login, path, query);
  INFO(answer.body);
  REQUIRE(answer.status == 200);
  CHECK(answer.headers.at("content-type") == "text/plain; charset=utf-8");
  return std::stoi(answer.body);
}

struct Refusal {
  std::string path;
  Query query;
  int status;
  std::string sub_status;
  std::string message;  // a part of it
};

}  // namespace

TEST_CASE("a search without options returns at most 100 rows and says so in _self") {
  const json::Node page = get_json("admin", "v1/call");
  CHECK(member(page, "results").items().size() == 100);
  CHECK(member(page, "_self").text() == "api:v1/call?$top=2147483647");
  CHECK(page.find("__count") == nullptr);
  const json::Node& row = member(page, "results").items().front();
  CHECK(member(row, "_self").text().starts_with("api:v1/"));
  CHECK(member(row, "_context").text().ends_with("/$metadata"));
}

TEST_CASE("$inlinecount counts all rows whatever $top says") {
  const json::Node page = get_json("admin", "v1/call", {{"$top", "1"}, {"$inlinecount", "true"}});
  CHECK(member(page, "results").items().size() == 1);
  CHECK(std::stoi(member(page, "__count").text()) == count("admin", "v1/call"));
}

TEST_CASE("pages follow each other without overlap, in any order of the options") {
  const auto first = refs(get_json("admin", "v1/call", {{"$orderby", "Priority desc"}, {"$top", "7"}}));
  const auto second =
      refs(get_json("admin", "v1/call", {{"$skip", "7"}, {"$top", "7"}, {"$orderby", "Priority desc"}}));
  const auto both = refs(get_json("admin", "v1/call", {{"$top", "14"}, {"$orderby", "Priority desc"}}));
  REQUIRE(both.size() == 14);
  CHECK(std::vector<std::string>(both.begin(), both.begin() + 7) == first);
  CHECK(std::vector<std::string>(both.begin() + 7, both.end()) == second);
}

TEST_CASE("selected paths nest, aliases are flat, and the related record tells its type") {
  const json::Node page = get_json(
      "admin", "v1/incident",
      {{"$select", "Ref,User.Name,User.Location.Name,Caller:User.Name"}, {"$filter", "User != null"}, {"$top", "1"}});
  const json::Node& row = member(page, "results").items().front();
  const json::Node& user = member(row, "User");
  CHECK(member(user, "_context").text() == "api:v1/person/$metadata");
  CHECK(member(user, "_self").text().starts_with("api:v1/person/"));
  CHECK(member(row, "Caller").text() == member(user, "Name").text());
  CHECK(user.find("Location") != nullptr);
}

TEST_CASE("a search of the parent mixes its children, a search of the child does not") {
  const int calls = count("admin", "v1/call");
  const int incidents = count("admin", "v1/incident");
  CHECK(incidents > 0);
  CHECK(calls > incidents);
  const json::Node page = get_json("admin", "v1/incident", {{"$top", "50"}});
  for (const json::Node& row : member(page, "results").items())
    CHECK(member(row, "_context").text() == "api:v1/incident/$metadata");
}

TEST_CASE("every row satisfies exactly one of a predicate and its negation") {
  const int all = count("admin", "v1/call");
  const std::vector<std::string> predicates{"Priority == 2",
                                            "Priority.Name != \"High\"",
                                            "Analyst == null",
                                            "ShortDescription.Contains(\"print\")",
                                            "ClockStopped",
                                            "DueDate < @Now",
                                            "User.Manager.Name.StartsWith(\"A\")",
                                            "@SlmBreached",
                                            "Number1 > 3 || Number2 <= 2"};
  for (const std::string& predicate : predicates) {
    INFO(predicate);
    CHECK(count("admin", "v1/call", {{"$filter", predicate}}) +
              count("admin", "v1/call", {{"$filter", "!(" + predicate + ")"}}) ==
          all);
  }
}

TEST_CASE("partitions limit rows, counts, lookups and joins alike") {
  const int all = count("admin", "v1/call");
  const int two = count("analyst2", "v1/call");
  const int one = count("analyst", "v1/call");
  CHECK(all > two);
  CHECK(two > one);
  CHECK(one > 0);
  CHECK(count("analyst", "v1/call", {{"$filter", "Partition != 1"}}) == 0);
  CHECK(count("admin", "v1/call", {{"$partition", "1"}}) == one);
  CHECK(get("analyst", "v1/call", {{"$partition", "2"}}).status == 403);
  // Of a table that mixes types, rows of those without partitions stay.
  CHECK(get("analyst", "v1/asset", {{"$partition", "2"}}).status == 403);
  CHECK(get("admin", "v1/asset", {{"$partition", "99"}}).status == 403);
  CHECK(count("admin", "v1/asset", {{"$partition", "2"}}) ==
        count("admin", "v1/service") + count("admin", "v1/configuration-item", {{"$partition", "2"}}));
  CHECK(count("admin", "v1/asset", {{"$partition", "2"}}) < count("admin", "v1/asset"));
  const auto hidden = refs(get_json("admin", "v1/call", {{"$filter", "Partition == 2"}, {"$top", "1"}}));
  const Answer refused = get("analyst", "v1/call/" + hidden.front());
  CHECK(refused.status == 404);
  // Identical bytes to a record that does not exist (API rule 2.10).
  CHECK(refused.body == get("analyst", "v1/call/999999").body);
}

TEST_CASE("an inner join yields a row for each match, a left join keeps rows without one") {
  const int histories = count("admin", "v1/call-history");
  CHECK(count("admin", "v1/call", {{"$innerJoin", "History:CallHistory(TicketId==Ref)"}}) == histories);
  const json::Node page = get_json("admin", "v1/call",
                                   {{"$leftJoin", "Last:CallHistory(TicketId==Ref && Order==LastHistoryOrder)"},
                                    {"$select", "Ref,Last.Description,Last.Order"},
                                    {"$top", "3"}});
  const json::Node& last = member(member(page, "results").items().front(), "Last");
  CHECK(member(last, "_self").text().find("?$filter=TicketId%3d%3d") != std::string::npos);
}

TEST_CASE("a sub-resource lists the rows below its record alone") {
  const json::Node page = get_json(
      "admin", "v1/attachment", {{"$filter", "EntityRef > 0"}, {"$top", "1"}, {"$select", "Ref,EntityRef,EntityType"}});
  const json::Node& row = member(page, "results").items().front();
  const std::string parent =
      "v1/" + member(row, "EntityType").text() + "/" + member(row, "EntityRef").text() + "/attachment";
  const auto listed = refs(get_json("admin", parent, {{"$filter", "BinaryData != null"}}));
  CHECK(std::find(listed.begin(), listed.end(), member(row, "Ref").text()) != listed.end());
  CHECK(get("admin", parent + "/" + member(row, "Ref").text()).status == 200);
  CHECK(get("admin", parent + "/999999").body.find("LinkedRecordNotFound") != std::string::npos);
}

TEST_CASE("a record answers 304 while its ETag holds") {
  const Answer first = get("admin", "v1/call/1");
  REQUIRE(first.status == 200);
  const std::string token = sample_server().token("admin");
  const Answer again =
      sample_server().send("GET", "/service.api/api/v1/call/1",
                           {"Authorization: Bearer " + token, "If-None-Match: " + first.headers.at("etag")});
  CHECK(again.status == 304);
  CHECK(again.body.empty());
}

TEST_CASE("what is wrong is refused with the status, SubStatus and a message that helps") {
  const std::vector<Refusal> refusals{
      {"v1/calls", {}, 404, "ResourceNotFound", "did you mean 'call'?"},
      {"v1/call/abc", {}, 404, "ResourceNotFound", "whole number"},
      {"v1/call/999999", {}, 404, "RecordNotFound", "no such call"},
      {"v1/call/1/attachmnt", {}, 404, "ResourceNotFound", "did you mean 'attachment'?"},
      {"v1/call", {{"$filtr", "Ref==1"}}, 400, "None", "$filter"},
      {"v1/call", {{"$filter", "Ref=="}}, 400, "None", "column 6"},
      {"v1/call", {{"$filter", "Descripton==\"x\""}}, 400, "None", "Description"},
      {"v1/call", {{"$filter", "ShortDescription < \"x\""}}, 400, "None", ""},
      {"v1/call", {{"$top", "0"}}, 400, "None", "$top"},
      {"v1/call", {{"$top", "2147483648"}}, 400, "None", "$top"},
      {"v1/call", {{"$skip", "-1"}}, 400, "None", "$skip"},
      {"v1/call", {{"$count", "yes"}}, 400, "None", "$count"},
      {"v1/call", {{"$orderby", "Ref DESC"}}, 400, "None", "$orderby"},
      {"v1/call", {{"$select", "Nam"}}, 400, "None", "Name"},
      {"v1/call", {{"$innerJoin", "H:Nothing(Ref==Ref)"}}, 400, "None", "Nothing"},
      {"v1/call/1", {{"$filter", "Ref==1"}}, 400, "None", "$filter"},
  };
  for (const Refusal& refusal : refusals) {
    const Answer answer = get("analyst", refusal.path, refusal.query);
    INFO(refusal.path << encoded(refusal.query) << " -> " << answer.body);
    CHECK(answer.status == refusal.status);
    const auto body = json::parse(answer.body);
    REQUIRE(body);
    CHECK(member(*body, "SubStatus").text() == refusal.sub_status);
    CHECK_FALSE(member(*body, "Type").text().empty());
    CHECK(member(*body, "Message").text().find(refusal.message) != std::string::npos);
    CHECK(answer.body.find("SELECT") == std::string::npos);
  }
}

TEST_CASE("a bad filter tells machines where and what was expected") {
  const auto body = json::parse(get("analyst", "v1/call", {{"$filter", "Ref == 1 && Shortdescription == \"x\""}}).body);
  REQUIRE(body);
  CHECK(member(*body, "Position").text() == "13");
  CHECK(member(*body, "Suggestion").text() == "ShortDescription");
}

TEST_CASE("$explain shows the SQL to administrators alone") {
  const Query query{{"$filter", "Priority.Name == \"High\" && @SlmBreached"}, {"$explain", "true"}};
  CHECK(get("analyst", "v1/call", query).status == 403);
  const json::Node body = get_json("admin", "v1/call", query);
  CHECK(member(member(body, "Rows"), "Sql").text().starts_with("SELECT"));
  CHECK_FALSE(member(member(body, "Rows"), "QueryPlan").items().empty());
  CHECK(member(body, "Augmenters").items().size() == 1);
}

TEST_CASE("all five ways in which clients encode a query mean the same") {
  const std::string token = sample_server().token("admin");
  const std::vector<std::string> spellings{
      "?$filter=Description.Contains(%22a%2Bb+%26+c%22)+%7C%7C+Ref%3C%3D3&$top=5",
      "?%24filter=Description.Contains%28%22a%2Bb+%26+c%22%29+%7C%7C+Ref%3C%3D3&%24top=5",
      "?%24filter=Description.Contains%28%22a%2Bb%20%26%20c%22%29%20%7C%7C%20Ref%3C%3D3&%24top=5",
      "?$filter=Description.Contains(%22a%2Bb%20%26%20c%22)%20%7C%7C%20Ref%3C%3D3&$top=5"};
  for (const std::string& spelling : spellings) {
    const Answer answer =
        sample_server().send("GET", "/service.api/api/v1/call" + spelling, {"Authorization: Bearer " + token});
    INFO(spelling << " " << answer.body);
    REQUIRE(answer.status == 200);
    const auto body = json::parse(answer.body);
    REQUIRE(body);
    CHECK(refs(*body) == std::vector<std::string>{"1", "2", "3"});
  }
}

TEST_CASE("history and attachments are visible exactly where their parent is") {
  const json::Node calls =
      get_json("admin", "v1/call", {{"$filter", "Partition == 3"}, {"$select", "Ref"}, {"$top", "1"}});
  const std::string ref = member(member(calls, "results").items().front(), "Ref").text();
  CHECK(count("admin", "v1/call-history", {{"$filter", "TicketId == " + ref}}) > 0);
  CHECK(count("analyst", "v1/call-history", {{"$filter", "TicketId == " + ref}}) == 0);
  CHECK(count("analyst", "v1/call-history") < count("admin", "v1/call-history"));
  CHECK(get("analyst", "v1/call/" + ref + "/history").status == 404);

  const json::Node files = get_json("admin", "v1/attachment", {{"$select", "Ref,EntityType,EntityRef"}});
  for (const json::Node& file : member(files, "results").items()) {
    const std::string parent = "v1/" + member(file, "EntityType").text() + "/" + member(file, "EntityRef").text();
    INFO(parent);
    CHECK(get("analyst", "v1/attachment/" + member(file, "Ref").text()).status == get("analyst", parent).status);
  }
  CHECK(count("analyst", "v1/attachment") < count("admin", "v1/attachment"));
}

TEST_CASE("the bytes of a file are found below its own parent, not below another kind's record of the same key") {
  const json::Node files = get_json("admin", "v1/attachment", {{"$select", "Ref,EntityType,EntityRef"}});
  int elsewhere = 0;
  for (const json::Node& file : member(files, "results").items()) {
    const std::string type = member(file, "EntityType").text(), parent = member(file, "EntityRef").text();
    const std::string below = "/" + parent + "/attachment/" + member(file, "Ref").text() + "/content";
    INFO(type << below);
    CHECK(get("admin", "v1/" + type + below).status == 200);
    if (type != "knowledge" && type != "request") continue;
    ++elsewhere;
    CHECK(get("admin", "v1/call" + below).status == 404);
  }
  CHECK(elsewhere > 0);
}

TEST_CASE("options that got lost on the way are refused, wherever they are sent") {
  const std::string token = sample_server().token("admin");
  const auto send = [&](const std::string& url, const char* method = "GET") {
    return sample_server().send(method, "/service.api/api/v1/" + url,
                                {"Authorization: Bearer " + token, "Content-Type: application/json"});
  };
  for (const char* query : {"=Ref==1&=1&=Ref", "filter=Ref==1&select=Ref", "top=1", "COUNT=true",
                            "%2524filter=Ref%3D%3D1", "$count=true&$filter=Priority==1&State==2",
                            "$count=true&$filter=Priority==1&&State==2", "$count=true&$filter=Checkbox1&&Ref<5",
                            "$count=true&$filter=Checkbox1&&Breached", "$count=true&$filter=Checkbox1&Breached",
                            "$count=true&$filter=Checkbox1&State=2", "amp;top=1", "$top=1&&$skip=1"}) {
    INFO(query);
    CHECK(send(std::string("call?") + query).status == 400);
    CHECK(send(std::string("call/1/history?") + query).status == 400);
  }
  for (const char* path : {"call/1", "call/$metadata", "$metadata", "call/$forward", "call/1/history", "openapi.json"})
    CHECK(send(std::string(path) + "?filter=Ref==1").status == 400);
  CHECK(send("call/1/lock?=1", "PUT").status == 400);
  CHECK(send("call/1?select=Ref", "PUT").status == 400);
  CHECK(send("call/1?Name=x").status == 200);  // a record has no filter that could have been lost
}

TEST_CASE("parameters of others are ignored, and no answer repeats them") {
  const std::string token = sample_server().token("admin");
  const std::string api = "/service.api/api/v1/";
  for (const char* query : {"Login_Token=SECRET&$top=1&$select=Ref", "$top=1&$select=Ref&SECRET",
                            "_=SECRET&%24top=1&utm_source=SECRET&$select=Ref&access_token=SECRET"}) {
    const Answer answer = sample_server().send("GET", api + "call?" + query, {"Authorization: Bearer " + token});
    INFO(answer.body);
    CHECK(answer.status == 200);
    CHECK(answer.body.find("SECRET") == std::string::npos);
    const std::string self = member(*json::parse(answer.body), "_self").text();
    CHECK((self == "api:v1/call?$top=1&$select=Ref" || self == "api:v1/call?%24top=1&$select=Ref"));
  }
  const Answer all = sample_server().send("GET", api + "call-state?x=SECRET", {"Authorization: Bearer " + token});
  CHECK(member(*json::parse(all.body), "_self").text() == "api:v1/call-state?$top=2147483647");
}
