// `$expand` (API rule 2.18): what it embeds is what the list's own url answers, for whoever asks.
#include "engine/base/percent.h"
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk shared;
  return shared.get();
}

using Options = std::vector<std::pair<std::string, std::string>>;

std::string expanded(const std::string& list, const Options& options) {
  std::string text;
  for (const auto& [name, value] : options) text += (text.empty() ? "(" : ";") + name + "=" + value;
  return list + (text.empty() ? "" : text + ")");
}

std::string url(std::string path, const Options& options) {
  std::string query;
  for (const auto& [name, value] : options) append_field(query, name, value);
  return query.empty() ? path : path + "?" + query;
}

// Every entity that has a list, and its lists.
std::map<std::string, std::set<std::string>> lists_of_entities() {
  std::map<std::string, std::set<std::string>> found;
  const Reply root = desk().get("admin", "$metadata");
  for (const json::Member& entity : root.body.find("_links")->members()) {
    const Reply metadata = desk().get("admin", entity.name + "/$metadata", {{"$expand", "*"}});
    if (metadata.status != 200) continue;  // "me" is no entity
    for (const json::Member& list : metadata.body.find("_embedded")->members()) found[entity.name].insert(list.name);
  }
  return found;
}

std::string first_of(std::string_view login, const std::string& entity) {
  const Reply page = desk().get(login, entity, {{"$top", "1"}, {"$select", "Ref"}});
  const json::Node* rows = page.body.find("results");
  return rows && !rows->items().empty() ? text_of(rows->items().front(), "Ref") : "";
}

void check_same(std::string_view login, const std::string& record, const std::string& list, const Options& options) {
  const Reply own = desk().send(login, "GET", url(record + "/" + list, options));
  const Reply whole = desk().get(login, record, {{"$expand", expanded(list, options)}});
  INFO(login << ": " << record << " with " << expanded(list, options) << ": " << whole.raw);
  CHECK(whole.status == own.status);
  if (own.status == 200) CHECK(whole.raw.find("\"" + list + "\":" + own.raw) != std::string::npos);
}

}  // namespace

TEST_CASE("an embedded list is what its own url answers, for every entity, list, session and option") {
  const std::vector<Options> all = {{},
                                    {{"$top", "1"}},
                                    {{"$skip", "1"}, {"$top", "2"}},
                                    {{"$select", "*"}},
                                    {{"$count", "true"}},
                                    {{"$inlinecount", "true"}, {"$top", "1"}},
                                    {{"$filter", "CreatedDate != null || (CreatedDate == null)"}},
                                    {{"$tpo", "1"}},
                                    {{"$filter", "Nothing == 1"}}};
  const auto entities = lists_of_entities();
  CHECK(entities.size() > 5);
  std::size_t next = 0;
  for (const auto& [entity, lists] : entities)
    for (const std::string_view login : {"admin", "analyst", "user"}) {
      const std::string ref = first_of(login, entity);
      for (const std::string& list : lists)
        for (std::size_t i = 0; !ref.empty() && i < 3; ++i)
          check_same(login, entity + "/" + ref, list, all[next++ % all.size()]);
    }
}

TEST_CASE("several lists, and all of them, stand in one record") {
  const Reply two = desk().get("analyst", "call/206", {{"$select", "Ref"}, {"$expand", "attachment, History($top=1)"}});
  CHECK(two["Ref"] == "206");
  CHECK(two.body.find("_embedded")->members().size() == 2);
  CHECK(two.body.find("_embedded")->find("history")->find("results")->items().size() == 1);
  const Reply all = desk().get("analyst", "call/206", {{"$expand", "*"}});
  CHECK(all.body.find("_embedded")->find("history"));
  CHECK(!desk().get("analyst", "call/206").body.find("_embedded"));
}

TEST_CASE("signs within texts and parentheses separate nothing") {
  for (const char* text : {"a;b", "a),(b", "\\\"; $top=1", "a, history"}) {
    const std::string filter = "ActionTitle == \"" + std::string(text) + "\" || (Order in (1, 2))";
    const Reply found =
        desk().get("analyst", "call/206", {{"$expand", "history($filter=" + filter + "; $select=Order ),attachment"}});
    INFO(found.raw);
    CHECK(found.status == 200);
    CHECK(found.body.find("_embedded")->members().size() == 2);
  }
}

TEST_CASE("an ETag of a record with lists is of both, and guards a change of the record") {
  const std::string ref = desk().done("analyst", "POST", "call", R"({"ShortDescription": "One"})")["Ref"];
  const std::string path = "call/" + ref, asked = path + "?$expand=attachment";
  const std::string tag = desk().send("analyst", "GET", asked).headers.at("etag");
  const auto again = [&] { return desk().send("analyst", "GET", asked, {}, {"If-None-Match: " + tag}).status; };
  CHECK(again() == 304);
  CHECK(desk().send("analyst", "HEAD", asked, {}, {"If-None-Match: " + tag}).status == 304);
  const std::string file = R"({"Name": "a.txt", "ContentType": "text/plain", "BinaryData": "eA=="})";
  CHECK(desk().send("analyst", "POST", path + "/attachment", file).status == 200);
  CHECK(again() == 200);
  const std::string now = desk().send("analyst", "GET", asked).headers.at("etag");
  const auto change = [&](const std::string& title) {
    return desk().send("analyst", "PUT", path, R"({"ShortDescription": ")" + title + "\"}",
                       {"Content-Type: application/json", "If-Match: " + now});
  };
  CHECK(change("Two").status == 200);
  CHECK(change("Three").status == 400);
}

TEST_CASE("whoever takes CSV of searches gets JSON of a record, with its lists") {
  const Reply found = desk().send("analyst", "GET", "call/206?$expand=history", {}, {"Accept: text/csv"});
  CHECK(found.body.find("_embedded")->find("history")->find("results"));
}

TEST_CASE("metadata embeds the metadata of the lists that the session may read") {
  const Reply plain = desk().get("analyst", "incident/$metadata");
  const Reply whole = desk().get("analyst", "incident/$metadata", {{"$expand", "history"}});
  const Reply history = desk().get("analyst", "incident/206/history/$metadata");
  CHECK(whole.raw == plain.raw.substr(0, plain.raw.size() - 1) + ",\"_embedded\":{\"history\":" + history.raw + "}}");
  CHECK(desk()
            .send("analyst", "GET", "incident/$metadata?$expand=history", {},
                  {"If-None-Match: " + whole.headers.at("etag")})
            .status == 304);
  CHECK(desk().get("analyst", "location/$metadata", {{"$expand", "*"}}).status == 200);
}

TEST_CASE("what cannot be expanded is refused with its cause, and nothing is changed") {
  struct Case {
    const char *method, *url, *says;
  };
  for (const Case& each : {Case{"GET", "call/206?$expand=histroy", "history"},
                           {"GET", "call/206?$expand=", "history"},
                           {"GET", "call/206?$expand=history,History", "twice"},
                           {"GET", "call/206?$expand=history($top=1", "')'"},
                           {"GET", "call/206?$expand=history($top=0)", "$expand of 'history': $top"},
                           {"GET", "call/206?$expand=history($expand=attachment)", "single record"},
                           {"GET", "call/206?$expand=*,history", "has no list '*'"},
                           {"GET", "call?$expand=history", "single record"},
                           {"GET", "call/206/attachment?$expand=history", "single record"},
                           {"PUT", "call/206?$expand=history", "single record"},
                           {"GET", "$metadata?$expand=*", "single record"},
                           {"GET", "call/206/$metadata?$expand=history", "single record"},
                           {"GET", "call/$options?$expand=history", "single record"},
                           {"GET", "call/$metadata?$expand=history($top=1)", "no options"},
                           {"GET", "call/206?expand=history", "$expand"}}) {
    const Reply refused =
        desk().send("analyst", each.method, each.url,
                    std::string_view(each.method) == "PUT" ? R"({"ShortDescription": "Changed"})" : "");
    INFO(each.method << " " << each.url << ": " << refused.raw);
    CHECK(refused.status == 400);
    CHECK(refused["Message"].find(each.says) != std::string::npos);
  }
  CHECK(desk().get("analyst", "call/206")["ShortDescription"] != "Changed");
}
