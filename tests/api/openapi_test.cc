// The OpenAPI document beside the server that hands it out: urls, methods, examples and answers are what it says.
#include "shared_desk.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

const Desk& desk() {
  static SharedDesk desk;
  return desk.get();
}

const json::Node& document() {
  static const json::Node node = [] {
    const Reply reply = desk().get("admin", "openapi.json");
    auto parsed = json::parse(reply.raw, {64, 10'000'000});
    REQUIRE(parsed);
    return *std::move(parsed);
  }();
  return node;
}

// With numbers for keys: "call/1/close".
std::string filled(std::string path) {
  for (const std::string key : {"{id}", "{ref}"})
    if (const std::size_t at = path.find(key); at != path.npos) path.replace(at, key.size(), "1");
  return path.substr(1);
}

std::set<std::string> words(const std::string& list) {
  std::set<std::string> all;
  std::string word;
  for (const char c : list + ",") {
    if (c != ',' && c != ' ') word += c;
    else if (!word.empty()) all.insert(std::exchange(word, {}));
  }
  return all;
}

std::string upper(std::string text) {
  for (char& c : text) c = static_cast<char>(c >= 'a' && c <= 'z' ? c - 32 : c);
  return text;
}

const json::Node* below(const json::Node* node, const std::vector<std::string>& names) {
  for (const std::string& name : names) node = node ? node->find(name) : nullptr;
  return node;
}

const json::Node* example_of(const json::Node& operation) {
  return below(&operation, {"requestBody", "content", "application/json", "example"});
}

void append(std::string& out, const json::Node& node) {
  using Kind = json::Node::Kind;
  const auto list = [&](const auto& all, char open, char close, const auto& each) {
    out += open;
    for (const auto& one : all) {
      if (&one != &all.front()) out += ',';
      each(one);
    }
    out += close;
  };
  if (node.kind() == Kind::Object)
    list(node.members(), '{', '}', [&](const json::Member& member) {
      out += '"' + member.name + "\":";
      append(out, member.value);
    });
  else if (node.kind() == Kind::Array) list(node.items(), '[', ']', [&](const json::Node& item) { append(out, item); });
  else if (node.kind() == Kind::String) out += '"' + node.text() + '"';
  else if (node.kind() == Kind::Number) out += node.text();
  else out += node.is_null() ? "null" : node.boolean() ? "true" : "false";
}

}  // namespace

TEST_CASE("Allow and the document name the same methods of every url") {
  std::size_t urls = 0;
  for (const json::Member& path : document().find("paths")->members()) {
    if (path.name.starts_with("/oauth/")) continue;
    std::set<std::string> described{"HEAD", "OPTIONS"};
    for (const json::Member& operation : path.value.members()) described.insert(upper(operation.name));
    const Reply options = desk().send("admin", "OPTIONS", filled(path.name));
    std::set<std::string> allowed = words(options.headers.at("allow"));
    allowed.insert("HEAD");  // an action has none
    INFO(path.name);
    CHECK(allowed == described);
    ++urls;
  }
  CHECK(urls > 300);
}

TEST_CASE("what an explorer sends as it stands is answered") {
  for (const json::Member& path : document().find("paths")->members()) {
    const json::Node* search = path.value.find("get");
    const bool has_key = path.name.find('{') != std::string::npos;
    if (!search || has_key || path.name == "/openapi.json") continue;
    INFO(path.name);
    CHECK(desk().get("admin", path.name.substr(1)).status == 200);
  }
}

TEST_CASE("examples of what is created are taken") {
  std::size_t made = 0;
  for (const json::Member& path : document().find("paths")->members()) {
    const json::Node* create = path.value.find("post");
    const json::Node* example = create ? example_of(*create) : nullptr;
    if (!example) continue;
    std::string body;
    append(body, *example);
    const Reply reply = desk().send("admin", "POST", path.name.substr(1), body);
    INFO(path.name << " " << body << " " << reply.raw);
    // What may be there once and is there, since the sample desk or another example made it.
    const bool is_taken = reply.status == 400 && (path.name == "/group-member" || path.name == "/service");
    CHECK((reply.status == 200 || is_taken));
    ++made;
  }
  CHECK(made > 20);
}

TEST_CASE("the number of a list's rows stands at a url of its own") {
  const Query open{{"$filter", "@IsOpen"}};
  const Reply count = desk().get("analyst", "call/$count", open);
  CHECK(count.status == 200);
  CHECK(count.headers.at("content-type").starts_with("application/json"));
  Query counted = open;
  counted.emplace_back("$count", "true");
  CHECK(count.raw == desk().get("analyst", "call", counted).raw);
  CHECK(desk().get("analyst", "call/7/history/$count").raw ==
        desk().get("analyst", "call/7/history", {{"$count", "true"}}).raw);
  CHECK(desk().get("user", "group/$count").status == 403);
  CHECK(desk().get("analyst", "call/$count", {{"$filter", "Nonsense == 1"}}).status == 400);
  CHECK(desk().get("analyst", "call/$count", {{"$count", "true"}}).status == 400);
  CHECK(desk().get("analyst", "call/7/history/$COUNT").status == 200);
  for (const char* none : {"call/7/$count", "call/7/close/$count", "person/1/image/$count", "$count"}) {
    INFO(none);
    CHECK(desk().get("admin", none).status == 404);
  }
  CHECK(desk().send("analyst", "POST", "call/$count", "{}").status == 405);
}

TEST_CASE("signing in and out stands below the api root, too") {
  const ServerProcess& server = desk().server();
  const ServerProcess::Headers form{"Content-Type: application/x-www-form-urlencoded"};
  const std::string password =
      "client_id=sample-app&grant_type=password&username=analyst&password=callisto&scope=session-type:Analyst";
  for (const char* path :
       {"/service.api/api/v1/oauth/login", "/service.api/api/v1.0/oauth/LOGIN", "/service.api/api/oauth/login"}) {
    INFO(path);
    const Answer answer = server.send("POST", path, form, password);
    CHECK(answer.status == 200);
    CHECK(answer.headers.at("cache-control") == "no-store");
  }
  const std::string root = "/service.api/api/v1/oauth/";
  CHECK(server.send("POST", root + "login", form, "grant_type=password").status == 400);
  CHECK(server.send("POST", root + "login", {"Content-Type: application/json"}, "{}").status == 415);
  CHECK(server.send("POST", root + "revoke", form, "token=x&client_id=sample-app").status == 200);
  CHECK(server.send("POST", root + "logout", form, "").status == 400);
  CHECK(server.send("GET", root + "login").status == 405);
  CHECK(server.send("POST", root + "authorize", form, "").status == 401);
  CHECK(server.send("POST", "/service.api/api/v2/oauth/login", form, password).status == 401);
}

TEST_CASE("a method that nobody knows is no malformed request") {
  const std::string token = desk().server().token("analyst");
  const auto status = [&](const char* method) {
    return desk().server().send(method, "/service.api/api/v1/call", {"Authorization: Bearer " + token}).status;
  };
  CHECK(status("TRACE") == 405);
  CHECK(status("PATCH") == 405);
  for (const char* unknown : {"QUERY", "BREW", "get", "SEARCH"}) {
    INFO(unknown);
    CHECK(status(unknown) == 501);
  }
}

TEST_CASE("an action's POST goes on to mean its PUT") {
  const std::string call = "call/" + desk().done("analyst", "POST", "call", R"({"ShortDescription": "x"})")["Ref"];
  CHECK(desk().send("analyst", "POST", call + "/add-note", R"({"Description": "x"})").status == 200);
  CHECK(desk().send("analyst", "OPTIONS", call + "/add-note").headers.at("allow") == "OPTIONS, PUT");
}
