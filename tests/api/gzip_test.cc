// Compressed answers of the running server, and the ETags that they have.
#include "desk.h"
#include "tests/support/gunzip.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto::tests;
using callisto::test::gunzip;
using Catch::Contains;

constexpr const char* accept = "Accept-Encoding: gzip";

std::string value(const Reply& reply, const std::string& name) {
  const auto found = reply.headers.find(name);
  return found == reply.headers.end() ? "(none)" : found->second;
}

Reply ask(const Desk& desk, std::string_view method, std::string_view path, ServerProcess::Headers headers,
          std::string_view body = {}) {
  headers.emplace_back("Content-Type: application/json");
  return desk.send("admin", method, path, body, headers);
}

}  // namespace

TEST_CASE("searches, records and documents are compressed for whoever asks, and hold the same") {
  const Desk desk;
  for (const char* path : {"call", "call/2", "call/$metadata", "openapi.json", "call?$top=10"}) {
    INFO(path);
    const Reply plain = ask(desk, "GET", path, {});
    REQUIRE(plain.status == 200);
    REQUIRE(plain.raw.size() > 1024);
    CHECK(value(plain, "content-encoding") == "(none)");
    CHECK_THAT(value(plain, "vary"), Contains("Accept-Encoding"));
    const Reply small = ask(desk, "GET", path, {accept});
    CHECK(value(small, "content-encoding") == "gzip");
    CHECK(gunzip(small.raw) == plain.raw);
    CHECK(small.raw.size() * 2 < plain.raw.size());
    const Reply head = ask(desk, "HEAD", path, {accept});
    CHECK(value(head, "content-length") == value(small, "content-length"));
    CHECK(value(head, "etag") == value(small, "etag"));
  }
}

TEST_CASE("either form's ETag finds the record unchanged, guards a change, and is told in the 304") {
  const Desk desk;
  const std::string path = "call/" + desk.done("admin", "POST", "call", R"({"ShortDescription": "One"})")["Ref"];
  const std::string plain = value(ask(desk, "GET", path, {}), "etag");
  const std::string small = value(ask(desk, "GET", path, {accept}), "etag");
  CHECK(small == plain.substr(0, plain.size() - 1) + "-gzip\"");
  for (const std::string& tag : {plain, small, "\"x\", " + small, "W/" + small}) {
    for (const char* encoding : {"Accept-Encoding: gzip", "Accept-Encoding: identity"}) {
      INFO(tag << " " << encoding);
      const Reply unchanged = ask(desk, "GET", path, {encoding, "If-None-Match: " + tag});
      CHECK(unchanged.status == 304);
      CHECK(value(unchanged, "etag") == (tag == plain ? plain : small));
      CHECK_THAT(value(unchanged, "vary"), Contains("Accept-Encoding"));
      CHECK(unchanged.raw.empty());
    }
  }
  CHECK(ask(desk, "PUT", path, {"If-Match: " + small}, R"({"ShortDescription": "Once"})").status == 200);
  CHECK(ask(desk, "PUT", path, {"If-Match: " + small}, R"({"ShortDescription": "Twice"})").status != 200);
  CHECK(ask(desk, "GET", path, {accept, "If-None-Match: " + small}).status == 200);
  CHECK(ask(desk, "GET", path, {accept, "If-None-Match: " + plain}).status == 200);
}

TEST_CASE("answers with tokens or secrets, pages of signing in and refusals are never compressed") {
  const Desk desk;
  const auto& server = desk.server();
  const Answer token =
      server.send("POST", "/service.web/oauth/login", {"Content-Type: application/x-www-form-urlencoded", accept},
                  "client_id=sample-app&grant_type=password&username=user&password=callisto"
                  "&scope=session-type:User");
  CHECK(token.status == 200);
  CHECK(token.headers.count("content-encoding") == 0);
  const Answer page = server.send("GET", "/service.web/oauth/authorize?client_id=" + std::string(2000, 'x'), {accept});
  CHECK(page.body.size() > 1024);
  CHECK(page.headers.count("content-encoding") == 0);
  const std::string description(3000, 'x');
  const Reply made =
      ask(desk, "POST", "call", {accept}, "{\"Description\": \"" + description + "\", \"ShortDescription\": \"a\"}");
  REQUIRE(made.status == 200);
  CHECK(value(made, "content-encoding") == "(none)");
  CHECK(value(made, "etag").find("-gzip") == std::string::npos);
}

TEST_CASE("metrics are compressed for Prometheus, which asks for it") {
  const Desk desk;
  const Answer small = desk.server().send("GET", "/metrics", {"Accept-Encoding: gzip"});
  CHECK(small.headers.at("content-encoding") == "gzip");
  CHECK_THAT(gunzip(small.body), Contains("# TYPE callisto_build_info gauge"));
}

TEST_CASE("http.gzip=false compresses nothing") {
  const Desk desk({"--set", "http.gzip=false"});
  const Reply reply = ask(desk, "GET", "call", {accept});
  CHECK(reply.status == 200);
  CHECK(value(reply, "content-encoding") == "(none)");
  CHECK(value(reply, "vary") == "Accept");
}
