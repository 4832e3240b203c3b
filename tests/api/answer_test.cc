// What a change answers: asked for before anything is written, of urls that are to be changed, and once for a request
// that comes again.
#include "shared_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

const std::string json_type = "Content-Type: application/json";

std::string count(std::string_view path) { return desk().get("admin", path, {{"$count", "true"}}).raw; }

std::string new_incident() {
  return "incident/" + desk().done("analyst", "POST", "incident", R"({"ShortDescription": "x"})")["Ref"];
}

std::string header(const Reply& reply, const char* name) {
  const auto found = reply.headers.find(name);
  return found == reply.headers.end() ? "(none)" : found->second;
}

TEST_CASE("an option that the answer cannot be given by is refused before anything is written") {
  const std::string incidents = count("incident"), incident = new_incident();
  const std::string before = desk().get("analyst", incident).raw, rows = count(incident + "/history");
  const std::string file = R"({"Name": "a.txt", "ContentType": "text/plain", "BinaryData": "YQ=="})";
  const struct {
    const char* method;
    std::string url;
    std::string_view body;
  } cases[] = {{"POST", "incident?$foo=1", R"({"ShortDescription": "x"})"},
               {"POST", "incident?$select=Nope", R"({"ShortDescription": "x"})"},
               {"POST", "incident?$top=1", R"({"ShortDescription": "x"})"},
               {"POST", "incident?%", R"({"ShortDescription": "x"})"},
               {"PUT", incident + "?$select=Nope", R"({"Name": "y"})"},
               {"PUT", incident + "/add-note?$x=1", R"({"Description": "y"})"},
               {"POST", incident + "/attachment?$bad", file},
               {"DELETE", incident + "?$foo=1", ""}};
  for (const auto& each : cases) {
    INFO(each.method << " " << each.url);
    const Reply refused = desk().send("analyst", each.method, each.url, each.body);
    CHECK(refused.status == 400);
  }
  CHECK(std::stoi(count("incident")) == std::stoi(incidents) + 1);
  CHECK(desk().get("analyst", incident).raw == before);
  CHECK(count(incident + "/history") == rows);
  CHECK(count(incident + "/attachment") == "0");
}

TEST_CASE("a change by the url of the parent's type answers what is asked of the record's own") {
  const Reply made = desk().done("analyst", "POST", "request", R"({"Title": "x", "Template": 4})");
  const std::string ref = made["Ref"], incident = new_incident();
  const std::string as_call = "call" + incident.substr(incident.find('/'));
  const Reply changed = desk().send("analyst", "PUT", as_call + "?$select=Ref,Impact", R"({"Impact": 2})");
  CHECK(changed.status == 200);
  CHECK(changed["Impact"] == "2");
  CHECK(desk().send("analyst", "PUT", "call/99999?$foo=1", R"({"Name": "y"})").status == 404);
}

TEST_CASE("$metadata and $options are read and nothing else") {
  const std::string incident = new_incident(), incidents = count("incident");
  for (const std::string& url : {incident + "/$metadata", incident + "?$options", incident + "/$options"})
    for (const char* method : {"PUT", "DELETE", "POST"}) {
      INFO(method << " " << url);
      const Reply refused = desk().send("analyst", method, url, R"({"Name": "y"})");
      CHECK(refused.status == 405);
      CHECK(header(refused, "allow") == "GET, HEAD, OPTIONS");
    }
  for (const char* url : {"incident/$metadata", "incident?$options", "incident?$metadata"})
    CHECK(desk().send("analyst", "POST", url, R"({"ShortDescription": "x"})").status == 405);
  CHECK(desk().send("analyst", "PUT", incident + "/add-note/$options", R"({"Description": "y"})").status == 405);
  CHECK(header(desk().send("analyst", "OPTIONS", incident + "/$metadata"), "allow") == "GET, HEAD, OPTIONS");
  CHECK(desk().get("analyst", incident)["Name"] != "y");
  CHECK(count("incident") == incidents);
}

TEST_CASE("an abstract entity is read; its records are changed as what they are") {
  const std::string before = desk().get("admin", "service/1").raw;
  for (const char* method : {"PUT", "DELETE"}) {
    const Reply refused = desk().send("admin", method, "asset/1", R"({"Description": "by asset"})");
    CHECK(refused.status == 405);
    CHECK(header(refused, "allow") == "GET, HEAD, OPTIONS");
  }
  CHECK(desk().send("admin", "PUT", "asset/1/freeze", "{}").status == 404);
  CHECK(header(desk().send("admin", "OPTIONS", "asset/1"), "allow") == "GET, HEAD, OPTIONS");
  CHECK(desk().get("admin", "service/1").raw == before);
  CHECK(desk().send("admin", "PUT", "service/1", R"({"Description": "by service"})").status == 200);
}

TEST_CASE("an Idempotency-Key makes one of two actions, and of two uploads") {
  const std::string incident = new_incident();
  const auto twice = [&](const std::string& url, std::string_view body, const char* key) {
    const ServerProcess::Headers headers{json_type, std::string("Idempotency-Key: ") + key};
    const Reply first = desk().send("analyst", "POST", url, body, headers);
    const Reply second = desk().send("analyst", "POST", url, body, headers);
    CHECK(first.status == 200);
    CHECK(header(first, "idempotent-replayed") == "(none)");
    CHECK(second.raw == first.raw);
    CHECK(header(second, "idempotent-replayed") == "true");
    CHECK(desk().send("analyst", "POST", url, R"({"Description": "other"})", headers).status == 400);
  };
  const int rows = std::stoi(count(incident + "/history"));
  twice(incident + "/add-note", R"({"Description": "once"})", "action-1");
  CHECK(std::stoi(count(incident + "/history")) == rows + 1);
  twice(incident + "/attachment", R"({"Name": "a.txt", "ContentType": "text/plain", "BinaryData": "YQ=="})", "file-1");
  CHECK(count(incident + "/attachment") == "1");
}

TEST_CASE("lists of tags may be spread over several lines") {
  const std::string incident = new_incident();
  const std::string etag = header(desk().get("analyst", incident), "etag");
  CHECK(desk().send("analyst", "GET", incident, {}, {"If-None-Match: \"1.zz\"", "If-None-Match: " + etag}).status ==
        304);
  CHECK(
      desk()
          .send("analyst", "PUT", incident, R"({"Name": "y"})", {json_type, "If-Match: \"0.zz\"", "If-Match: " + etag})
          .status == 200);
  CHECK(
      desk()
          .send("analyst", "PUT", incident, R"({"Name": "z"})", {json_type, "If-Match: \"0.zz\"", "If-Match: " + etag})
          .status == 400);
}

TEST_CASE("the tag of a record's metadata and of its bytes counts for If-Match") {
  const std::string incident = new_incident();
  const std::string tag = header(desk().get("analyst", incident + "/$metadata"), "etag");
  CHECK(desk().send("analyst", "PUT", incident, R"({"Name": "y"})", {json_type, "If-Match: " + tag}).status == 200);
  const std::string image = "person/4/image", type = "Content-Type: image/png";
  CHECK(desk().send("user", "PUT", image, "first", {type}).status == 200);
  const std::string first = header(desk().get("user", image), "etag");
  CHECK(desk().send("user", "PUT", image, "second", {type, "If-Match: " + first}).status == 200);
  CHECK(desk().send("user", "PUT", image, "third", {type, "If-Match: " + first}).status == 400);
  CHECK(desk().send("user", "DELETE", image).status == 200);
}

}  // namespace
