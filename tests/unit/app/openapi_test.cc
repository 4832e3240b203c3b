#include "engine/api/openapi.h"
#include "engine/json/read.h"
#include "tests/support/small_desk.h"

#include <algorithm>
#include <catch2/catch.hpp>

using namespace callisto;

namespace {

const std::string& document() {
  static const std::string text = [] {
    const test::SmallDesk desk;
    return api::openapi(*desk.load()->catalog, {"https://desk.example.com", "/a/api", "/web/oauth", "v1", "1.2.3"});
  }();
  return text;
}

const json::Node& root() {
  static const json::Node node = [] {
    auto parsed = json::parse(document(), {64, 1'000'000});
    REQUIRE(parsed);
    return *std::move(parsed);
  }();
  return node;
}

// The node at names with '>' between.
const json::Node& at(const json::Node& from, std::string_view path) {
  const std::size_t end = path.find('>');
  const json::Node* next = from.find(path.substr(0, end));
  INFO("looking for " << path);
  REQUIRE(next);
  return end == path.npos ? *next : at(*next, path.substr(end + 1));
}
const json::Node& at(std::string_view path) { return at(root(), path); }

std::vector<std::string> names_of(const json::Node& object) {
  std::vector<std::string> names;
  for (const json::Member& member : object.members()) names.push_back(member.name);
  return names;
}

std::vector<std::string> texts_of(const json::Node& list) {
  std::vector<std::string> texts;
  for (const json::Node& item : list.items()) texts.push_back(item.text());
  return texts;
}

void collect(const json::Node& node, std::string_view name, std::vector<std::string>& texts) {
  for (const json::Member& member : node.members()) {
    if (member.name == name && member.value.kind() == json::Node::Kind::String) texts.push_back(member.value.text());
    collect(member.value, name, texts);
  }
  for (const json::Node& item : node.items()) collect(item, name, texts);
}

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("OpenAPI lists the urls that a session could use, and no others") {
  Names urls;
  for (const json::Member& path : at("paths").members())
    for (const std::string& method : names_of(path.value)) urls.push_back(method + " " + path.name);
  CHECK(urls == Names{"get /$metadata",
                      "get /openapi.json",
                      "post /oauth/login",
                      "post /oauth/logout",
                      "post /oauth/revoke",
                      "get /$health",
                      "get /$audit",
                      "get /$source",
                      "get /$changes",
                      "get /$specs",
                      "get /$sandbox",
                      "post /$sandbox",
                      "put /$sandbox",
                      "delete /$sandbox",
                      "get /$reload",
                      "post /$reload",
                      "get /book",
                      "post /book",
                      "get /book/$count",
                      "get /book/$groups",
                      "post /book/$batch",
                      "get /book/$rules",
                      "get /book/$metadata",
                      "get /book/{id}",
                      "put /book/{id}",  // no DELETE: nothing is deleted here; no hide: nobody may
                      "put /book/{id}/lend",
                      "get /book/{id}/page",
                      "get /book/{id}/page/$count",
                      "get /book/{id}/page/$groups",
                      "get /book/{id}/page/{ref}",
                      "get /book/{id}/cover",
                      "put /book/{id}/cover",
                      "delete /book/{id}/cover",
                      "get /novel",
                      "post /novel",
                      "get /novel/$count",
                      "get /novel/$groups",
                      "post /novel/$batch",
                      "get /novel/$rules",
                      "get /novel/$metadata",
                      "get /novel/{id}",
                      "put /novel/{id}",
                      "put /novel/{id}/lend",
                      "get /novel/{id}/page",
                      "get /novel/{id}/page/$count",
                      "get /novel/{id}/page/$groups",
                      "get /novel/{id}/page/{ref}",
                      "get /novel/{id}/cover",
                      "put /novel/{id}/cover",
                      "delete /novel/{id}/cover",
                      "get /page",
                      "post /page",
                      "get /page/$count",
                      "get /page/$groups",
                      "post /page/$batch",
                      "get /page/$rules",
                      "get /page/$metadata",
                      "get /page/{id}",
                      "put /page/{id}",
                      "get /shelf",
                      "post /shelf",
                      "get /shelf/$count",
                      "get /shelf/$groups",
                      "post /shelf/$batch",
                      "get /shelf/$rules",
                      "get /shelf/$metadata",
                      "get /shelf/{id}",
                      "put /shelf/{id}"});
}

TEST_CASE("servers and sign-in urls follow the settings") {
  CHECK(at("openapi").text() == "3.1.0");
  CHECK(json::string_of(at("servers").items().front(), "url") == "https://desk.example.com/a/api/v1");
  CHECK(names_of(at("paths>/oauth/login")) == Names{"post"});  // below the one server, as everything else
  CHECK(at("info>version").text() == "1.2.3");
  CHECK_FALSE(at("info>contact>name").text().empty());
  const char* flows = "components>securitySchemes>oauth2>flows";
  CHECK(names_of(at(flows)) == Names{"authorizationCode", "password", "clientCredentials"});
  CHECK(at(at(flows), "authorizationCode>authorizationUrl").text() == "https://desk.example.com/web/oauth/authorize");
  CHECK(at(at(flows), "password>tokenUrl").text() == "https://desk.example.com/web/oauth/login");
  CHECK(names_of(at(at(flows), "clientCredentials>scopes")) == Names{"session-type:User"});
  CHECK(at("components>securitySchemes>bearer>scheme").text() == "bearer");
}

TEST_CASE("a record's schema has the types of its properties, and what it inherits by reference") {
  const json::Node& book = at("components>schemas>Book>allOf").items().at(1);
  struct Row {
    const char *property, *type, *format;
  };
  const Row rows[] = {
      {"Ref", "integer", "int32"},         {"Title", "string null", ""},   {"State", "integer null", "int32"},
      {"Price", "number null", ""},        {"IsRare", "boolean null", ""}, {"LentSince", "string null", "date-time"},
      {"Copies", "integer null", "int64"}, {"Cover", "string null", ""},   {"Age", "string null", ""}};
  for (const Row& row : rows) {
    INFO(row.property);
    const json::Node& property = at(at(book, "properties"), row.property);
    std::string type = at(property, "type").text();
    for (const std::string& each : texts_of(at(property, "type"))) type += (type.empty() ? "" : " ") + each;
    CHECK(type == row.type);
    CHECK(json::string_of(property, "format") == row.format);
  }
  CHECK(at(book, "properties>Title>maxLength").text() == "80");
  CHECK(at(book, "properties>Title>title").text() == "Title");
  CHECK(at(book, "properties>Title>description").text() == "As on the cover.");
  CHECK(at(book, "properties>Cover>contentEncoding").text() == "base64");
  CHECK(at(book, "properties>State>readOnly").boolean());
  CHECK_FALSE(at(book, "properties").find("IsDeleted"));  // Internal
  CHECK(at(book, "properties>Shelf>$ref").text() == "#/components/schemas/ApiLookup");
  CHECK(at("components>schemas>ApiLookup>anyOf").items().size() == 3);
  const json::Node& novel = at("components>schemas>Novel");
  CHECK(json::string_of(at(novel, "allOf").items().at(0), "$ref") == "#/components/schemas/Book");
  CHECK(names_of(at(at(novel, "allOf").items().at(1), "properties")) == Names{"Blurb", "Code"});
  CHECK(texts_of(at("components>schemas>BookPage>required")) == Names{"results", "_self"});
}

TEST_CASE("bodies demand what the actions demand, with an example that has it") {
  const json::Node& create = at("components>schemas>BookCreateInput");
  CHECK(texts_of(at(create, "required")) == Names{"Title"});
  CHECK(names_of(at(create, "properties")) ==
        Names{"Title", "Shelf", "Price", "LentSince", "IsRare", "Cover", "Copies"});
  CHECK_FALSE(at("components>schemas>BookUpdateInput").find("required"));
  const json::Node& lend = at("components>schemas>BookLendInput");
  CHECK(texts_of(at(lend, "required")) == Names{"Until"});
  CHECK(names_of(at(lend, "properties")) == Names{"Name", "Number", "Until", "Shelf", "Pin"});
  CHECK(at(lend, "allOf").items().size() == 1);
  CHECK(at(at(lend, "allOf").items().front(), "anyOf").items().size() == 2);
  const char* body = "requestBody>content>application/json";
  const json::Node& operation = at("paths>/book/{id}/lend>put");
  CHECK(at(at(operation, body), "schema>$ref").text() == "#/components/schemas/BookLendInput");
  CHECK(names_of(at(at(operation, body), "example")) == Names{"Name", "Until"});
  CHECK_FALSE(at("components>schemas").find("BookHideInput"));
  CHECK_FALSE(at("components>schemas").find("BookDeleteInput"));
}

TEST_CASE("what the server refuses, the schemas refuse") {
  const json::Node& create = at("components>schemas>BookCreateInput");
  CHECK_FALSE(at(create, "additionalProperties").boolean());
  CHECK(at(create, "properties>Title>minLength").text() == "1");
  CHECK(at(create, "properties>Title>type").text() == "string");
  CHECK(at("components>schemas>BookUpdateInput>minProperties").text() == "1");
  const json::Node& lend = at("components>schemas>BookLendInput");  // may hold properties of the record, too
  CHECK_FALSE(lend.find("additionalProperties"));
  CHECK(at(lend, "properties>Number>minimum").text() == "-2147483648");
  CHECK(at(lend, "properties>Pin>minLength").text() == "8");
  CHECK(at("components>parameters>QueryPartition>schema>minimum").text() == "0");
}

TEST_CASE("explorers send nothing that nobody asked for") {
  for (const json::Member& each : at("components>parameters").members()) {
    INFO(each.name);
    CHECK((each.value.find("example") == nullptr || each.name.starts_with("Path")));
    CHECK_FALSE(each.value.find("examples"));
  }
}

TEST_CASE("paths leave their parameters to the operations, and the search leaves the count to another url") {
  for (const json::Member& path : at("paths").members()) CHECK_FALSE(path.value.find("parameters"));
  CHECK(json::string_of(at("paths>/book/{id}/lend>put>parameters").items().front(), "$ref") ==
        "#/components/parameters/PathId");
  CHECK(at("paths>/book/$count>get>responses>200>content>application/json>schema>type").text() == "integer");
}

TEST_CASE("files are parts of forms, and bytes are bytes") {
  const json::Node& cover = at("paths>/book/{id}/cover");
  CHECK(at(cover, "put>requestBody>content>application/octet-stream>schema>format").text() == "binary");
  CHECK(names_of(at(cover, "get>responses>200>content")) == Names{"application/octet-stream", "*/*"});
  CHECK(at(cover, "get>responses>200>content>*/*>schema>format").text() == "binary");
}

TEST_CASE("tags stand in groups, each of them in one") {
  Names grouped, tags;
  for (const json::Node& group : at("x-tagGroups").items())
    for (const std::string& tag : texts_of(at(group, "tags"))) grouped.push_back(tag);
  for (const json::Node& tag : at("tags").items()) tags.push_back(json::string_of(tag, "name"));
  std::sort(grouped.begin(), grouped.end());
  std::sort(tags.begin(), tags.end());
  CHECK(grouped == tags);
}

TEST_CASE("for readers of 3.0 the document speaks that version") {
  const auto older = api::as_openapi_30(document());
  REQUIRE(older);
  for (const char* newer :
       {"\"null\"", "contentEncoding", "contentMediaType", "\"const\"", "\"identifier\"", "\"webhooks\""})
    CHECK(older->find(newer) == older->npos);
  const auto parsed = json::parse(*older, {64, 1'000'000});
  REQUIRE(parsed);
  CHECK(at(*parsed, "openapi").text() == "3.0.3");
  const json::Node& book = at(*parsed, "components>schemas>Book>allOf").items().at(1);
  CHECK(at(book, "properties>Copies>type").text() == "integer");
  CHECK(at(book, "properties>Copies>nullable").boolean());
  CHECK(names_of(at(book, "properties>Shelf")) == Names{"$ref"});
  CHECK(at(at(*parsed, "components>schemas>ApiLookup>anyOf").items().front(), "nullable").boolean());
  CHECK(at(book, "properties>Cover>format").text() == "byte");
}

TEST_CASE("every reference of the document leads somewhere, and no operation has another's name") {
  Names references, operations;
  collect(root(), "$ref", references);
  collect(root(), "operationId", operations);
  REQUIRE(references.size() > 100);
  for (const std::string& reference : references) {
    std::string path = reference.substr(2);
    std::replace(path.begin(), path.end(), '/', '>');
    at(path);
  }
  std::sort(operations.begin(), operations.end());
  CHECK(operations.size() > 30);
  CHECK(std::adjacent_find(operations.begin(), operations.end()) == operations.end());
}

TEST_CASE("an entity's operation takes no name of the server's own") {
  const test::SmallDesk desk;
  desk.write("entities/server.lua", R"(return entity "server" { properties = { text "Name" { length = 20 } } })");
  desk.write("scripts/server/actions/sandbox.lua", R"(return action "sandbox" {})");
  const auto parsed = json::parse(api::openapi(*desk.load()->catalog, {}), {64, 1'000'000});
  REQUIRE(parsed);
  Names operations;
  collect(*parsed, "operationId", operations);
  CHECK(std::count(operations.begin(), operations.end(), "Server.Sandbox") == 1);
  CHECK(std::count(operations.begin(), operations.end(), "Server.Sandbox2") == 1);
}

TEST_CASE("a search offers every option, and a change every refusal") {
  Names options;
  for (const json::Node& parameter : at("paths>/book>get>parameters").items())
    options.push_back(json::string_of(parameter, "$ref").substr(std::string("#/components/parameters/").size()));
  CHECK(options == Names{"QueryTop", "QuerySkip", "QueryAfter", "QueryOrderby", "QueryInlinecount", "QuerySelect",
                         "QueryFilter", "QueryLeftJoin", "QueryInnerJoin", "QueryPartition"});
  CHECK(names_of(at("paths>/book>get>responses>200>content")) == Names{"application/json", "text/csv"});
  CHECK(names_of(at("paths>/book/{id}/lend>put>responses")) ==
        Names{"200", "400", "401", "403", "404", "405", "413", "415", "429", "500", "503"});
  CHECK(names_of(at("paths>/book/{id}>get>responses")) ==
        Names{"200", "304", "400", "401", "403", "404", "500", "503"});
}
