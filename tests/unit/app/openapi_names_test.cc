// Names of OpenAPI documents as generators of clients see them.
#include "engine/api/openapi.h"
#include "engine/api/openapi/names.h"
#include "engine/json/read.h"
#include "tests/support/paths.h"
#include "tests/support/small_desk.h"

#include <catch2/catch.hpp>
#include <map>
#include <set>

using namespace callisto;

namespace {

// What stands behind the name of an operation in one generator or another.
constexpr const char* derived[] = {"",     "params", "body",   "request",  "response",        "responses",
                                   "data", "error",  "errors", "jsonbody", "jsonrequestbody", "req",
                                   "res",  "result", "ok",     "headers",  "query",           "path"};
constexpr const char* of_clients[] = {"client", "error", "errors", "response", "server", "file", "date", "object"};

json::Node document_of(const catalog::Catalog& catalog) {
  auto parsed = json::parse(api::openapi(catalog, {}), {64, 10'000'000});
  REQUIRE(parsed);
  return *std::move(parsed);
}

void take_operations(const json::Node& paths, std::vector<std::string>& names) {
  for (const json::Member& path : paths.members())
    for (const json::Member& operation : path.value.members())
      names.push_back(json::string_of(operation.value, "operationId"));
}

void check_names(const catalog::Catalog& catalog) {
  const json::Node root = document_of(catalog);
  std::vector<std::string> operations, components;
  take_operations(*root.find("paths"), operations);
  take_operations(*root.find("webhooks"), operations);
  for (const json::Member& section : root.find("components")->members())
    for (const json::Member& component : section.value.members()) components.push_back(component.name);
  std::map<std::string, std::string> taken;
  const auto take = [&](const std::string& key, const std::string& name) {
    const auto [known, is_new] = taken.emplace(key, name);
    INFO(name << " and " << known->second << " are both " << key);
    CHECK(is_new);
  };
  for (const std::string& name : components) take(api::folded(name), name);
  for (const std::string& name : operations)
    for (const char* word : derived) take(api::folded(name) + word, name);
  for (const char* theirs : of_clients) {
    INFO(theirs);
    CHECK(taken.count(theirs) == 0);
  }
}

std::shared_ptr<const catalog::Catalog> product() {
  const std::string folder = test::source_folder();
  const auto loaded = script::load({folder + "/entities"}, {folder + "/scripts"});
  REQUIRE(loaded.program);
  return loaded.program->catalog;
}

}  // namespace

TEST_CASE("no name of the document is another's, however a generator spells them") { check_names(*product()); }

TEST_CASE("nor where entities and actions are named to meet") {
  test::SmallDesk desk;
  for (const char* name : {"client",
                           "error",
                           "response",
                           "book-page",
                           "page-page",
                           "book-lend",
                           "book-lend-input",
                           "book-search",
                           "api-error",
                           "path-id",
                           "not-found",
                           "oauth-login",
                           "oauth2",
                           "bearer",
                           "book-count",
                           "book-search-page",
                           "query-top",
                           "object",
                           "file",
                           "count",
                           "metadata",
                           "book-create-input",
                           "book2",
                           "book-page2"})
    desk.write("entities/" + std::string(name) + ".lua", "return entity \"" + std::string(name) + "\" {}");
  for (const char* name : {"search", "search-page", "count", "get", "metadata", "count-page", "get-page", "notify",
                           "download-cover", "upload-cover", "params", "search-params", "page", "create-input"})
    desk.write("scripts/book/actions/" + std::string(name) + ".lua", "return action \"" + std::string(name) + "\" {}");
  check_names(*desk.load()->catalog);
}

TEST_CASE("a name that meets none is as the desk has it") {
  const json::Node root = document_of(*product());
  const json::Node& schemas = *root.find("components")->find("schemas");
  for (const char* name : {"Call", "CallPage", "IncidentResolveInput", "CallHistory", "ClientRecord", "ApiError"}) {
    INFO(name);
    CHECK(schemas.find(name));
  }
  const json::Node& paths = *root.find("paths");
  const auto id = [&](const char* path, const char* method) {
    return json::string_of(*paths.find(path)->find(method), "operationId");
  };
  CHECK(id("/call/{id}/history", "get") == "Call.SearchHistory");
  CHECK(id("/call-history", "get") == "CallHistory.Search");
  CHECK(id("/call/{id}/attachment", "post") == "Call.AddAttachment");
  CHECK(id("/webhook/{id}/delivery/{ref}/redeliver", "put") == "Webhook.RedeliverDelivery");
}

TEST_CASE("operations of paths and of webhooks share no tag") {
  const json::Node root = document_of(*product());
  std::set<std::string> tags;
  for (const json::Member& path : root.find("paths")->members())
    for (const json::Member& operation : path.value.members())
      tags.insert(operation.value.find("tags")->items().front().text());
  REQUIRE(root.find("webhooks")->members().size() > 3);
  for (const json::Member& webhook : root.find("webhooks")->members())
    CHECK_FALSE(tags.contains(webhook.value.find("post")->find("tags")->items().front().text()));
}
