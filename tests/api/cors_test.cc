// Pages of other origins (http.cors_origins): who may ask, what they are shown, and that nothing of it is there by
// default.
#include "server_process.h"
#include "tests/unit/http/raw_client.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Contains;

const std::string app = "https://app.example";
const std::string call = "/service.api/api/v1/call";
const std::string login = "/service.web/oauth/login", authorize = "/service.web/oauth/authorize";

std::string value(const Answer& answer, const std::string& name) {
  const auto found = answer.headers.find(name);
  return found == answer.headers.end() ? "(none)" : found->second;
}

std::string allowed(const Answer& answer) { return value(answer, "access-control-allow-origin"); }

const ServerProcess& desk() {
  static const TemporaryFolder folder;
  static const ServerProcess server(
      folder.path(), {"--samples", "--set", "http.cors_origins=https://app.example,http://LOCALHOST:5173", "--set",
                      "http.trusted_proxies=127.0.0.1"});
  return server;
}

Answer preflight(const ServerProcess& server, const std::string& path, const std::string& origin,
                 const std::string& method = "GET") {
  return server.send("OPTIONS", path,
                     {"Origin: " + origin, "Access-Control-Request-Method: " + method,
                      "Access-Control-Request-Headers: authorization,content-type"});
}

}  // namespace

TEST_CASE("a preflight of a named origin needs no token; of any other it is refused with the setting's name") {
  const std::pair<std::string, bool> rows[] = {{"https://app.example", true},
                                               {"http://localhost:5173", true},
                                               {"null", false},
                                               {"https://app.example.evil", false},
                                               {"https://app.example:443", false},
                                               {"https://app.example:8443", false},
                                               {"http://app.example", false},
                                               {"https://APP.example", false},
                                               {"https://evil-app.example", false},
                                               {"https://sub.app.example", false},
                                               {"https://app.example/", false},
                                               {"http://localhost", false},
                                               {"http://localhost:51730", false},
                                               {"https://app.example, https://evil.example", false},
                                               {"https://app.example https://evil.example", false},
                                               {"*", false}};
  for (const auto& [origin, is_allowed] : rows) {
    INFO(origin);
    const Answer answer = preflight(desk(), call, origin);
    CHECK(answer.status == (is_allowed ? 204 : 403));
    CHECK(allowed(answer) == (is_allowed ? origin : "(none)"));
    CHECK_THAT(value(answer, "vary"), Contains("Origin"));
    CHECK(value(answer, "access-control-allow-credentials") == "(none)");
    CHECK(value(answer, "x-request-id") != "(none)");
    if (!is_allowed) CHECK_THAT(answer.body, Contains("http.cors_origins"));
    // The same of an answer that needs no token, and of a refusal.
    for (const char* path : {"/.well-known/oauth-authorization-server", "/service.api/api/v1/call"}) {
      const Answer got = desk().send("GET", path, {"Origin: " + origin});
      CHECK(allowed(got) == (is_allowed ? origin : "(none)"));
      CHECK_THAT(value(got, "vary"), Contains("Origin"));
    }
  }
}

TEST_CASE("a preflight names what a client of the API sends") {
  const Answer answer = preflight(desk(), call, app, "DELETE");
  for (const char* method : {"GET", "HEAD", "POST", "PUT", "DELETE"})
    CHECK_THAT(value(answer, "access-control-allow-methods"), Contains(method));
  for (const char* header : {"Authorization", "Content-Type", "If-Match", "If-None-Match", "Idempotency-Key", "Range",
                             "Callisto-View-As", "Callisto-Sandbox"})
    CHECK_THAT(value(answer, "access-control-allow-headers"), Contains(header));
  CHECK(std::stoi(value(answer, "access-control-max-age")) > 0);
  CHECK(answer.body.empty());
}

TEST_CASE("pages reach the API, signing in and its documents, and nothing that has a cookie or is for operators") {
  for (const char* path :
       {"/service.api/api", "/service.api", "/service.api/api/v1", "/service.api/api/v1/nothing/here",
        "/service.api/api/v1/openapi.json", "/service.web/oauth/login", "/service.web/oauth/LOGIN",
        "/service.web/oauth/logout", "/service.web/oauth/revoke", "/service.web/oauth/%6cogin",
        "/.well-known/oauth-authorization-server", "/.well-known/oauth-protected-resource"}) {
    INFO(path);
    CHECK(preflight(desk(), path, app).status == 204);
    CHECK(allowed(desk().send("GET", path, {"Origin: " + app})) == app);
  }
  for (const char* path :
       {"/service.web/oauth/authorize", "/service.web/oauth/Authorize", "/service.web/oauth/%61uthorize",
        "/service.web/oauth/callback", "/service.web/oauth/setup", "/metrics", "/healthz", "/readyz", "/",
        "/service.web/oauth", "/service.web", "/.well-known"}) {
    INFO(path);
    CHECK(allowed(preflight(desk(), path, app)) == "(none)");
    CHECK(allowed(desk().send("GET", path, {"Origin: " + app})) == "(none)");
  }
}

TEST_CASE("a page signs in, reads, changes and is told of refusals") {
  const Answer signed_in = desk().send(
      "POST", login, {"Content-Type: application/x-www-form-urlencoded", "Origin: " + app},
      "client_id=sample-app&grant_type=password&username=analyst&password=callisto&scope=session-type:Analyst");
  REQUIRE(signed_in.status == 200);
  CHECK(allowed(signed_in) == app);
  const std::string bearer = "Authorization: Bearer " + desk().token("analyst");
  const Answer made = desk().send("POST", call, {bearer, "Origin: " + app, "Content-Type: application/json"},
                                  R"({"ShortDescription": "From a page"})");
  REQUIRE(made.status == 200);
  CHECK(allowed(made) == app);
  for (const char* header : {"ETag", "Location", "Retry-After", "X-Request-Id", "WWW-Authenticate"})
    CHECK_THAT(value(made, "access-control-expose-headers"), Contains(header));
  const std::string record = value(made, "location");
  const Answer read = desk().send("GET", record, {bearer, "Origin: " + app});
  CHECK(allowed(read) == app);
  const Answer unchanged =
      desk().send("GET", record, {bearer, "Origin: " + app, "If-None-Match: " + value(read, "etag")});
  CHECK(unchanged.status == 304);
  CHECK(allowed(unchanged) == app);
  struct Row {
    const char *method, *path;
    int status;
  };
  for (const Row& row : {Row{"GET", "/service.api/api/v1/nothing", 404}, Row{"DELETE", "/service.api/api/v1/call", 405},
                         Row{"GET", "/service.api/api/v1/call?$filter=(", 400}}) {
    INFO(row.path);
    const Answer refused = desk().send(row.method, row.path, {bearer, "Origin: " + app});
    CHECK(refused.status == row.status);
    CHECK(allowed(refused) == app);
  }
  // What is refused before the API hears of it: a url beyond the limit, a path that means nothing.
  for (const std::string& path : {call + "?$filter=" + std::string(9000, 'x'), call + "/%00", call + "/a%zz"}) {
    INFO(path.substr(0, 100));
    const Answer refused = desk().send("GET", path, {bearer, "Origin: " + app});
    CHECK(refused.status / 100 == 4);
    CHECK(allowed(refused) == app);
    CHECK(allowed(desk().send("GET", path, {bearer, "Origin: https://evil.example"})) == "(none)");
  }
  const Answer nobody = desk().send("GET", call, {"Origin: " + app});
  CHECK(nobody.status == 401);
  CHECK(allowed(nobody) == app);
  const Answer wrong =
      desk().send("POST", login, {"Content-Type: application/x-www-form-urlencoded", "Origin: " + app}, "a=b");
  CHECK(wrong.status == 400);
  CHECK(allowed(wrong) == app);
}

TEST_CASE("OPTIONS without what makes it a preflight is answered as before") {
  CHECK(desk().send("OPTIONS", call, {"Origin: " + app}).status == 401);
  CHECK(desk().send("OPTIONS", call, {"Access-Control-Request-Method: GET"}).status == 401);
  const Answer options = desk().send("OPTIONS", call, {"Authorization: Bearer " + desk().token("analyst")});
  CHECK(options.status == 204);
  CHECK_THAT(value(options, "allow"), Contains("POST"));
  // Two origins are of nobody who could be named.
  CHECK(allowed(desk().send("GET", call, {"Origin: " + app, "origin: " + app})) == "(none)");
}

TEST_CASE("by default there is nothing for other origins; * is for all, without credentials") {
  CHECK(preflight(sample_server(), call, app).status == 401);
  const Answer silent = sample_server().send("GET", "/.well-known/oauth-authorization-server", {"Origin: " + app});
  CHECK(silent.status == 200);
  CHECK(allowed(silent) == "(none)");
  CHECK(value(silent, "vary") == "(none)");
  const TemporaryFolder folder;
  const ServerProcess open(folder.path(), {"--samples", "--set", "http.cors_origins=*"});
  for (const char* origin : {"https://app.example", "null", "http://any.example:1"}) {
    INFO(origin);
    const Answer answer = preflight(open, call, origin);
    CHECK(answer.status == 204);
    CHECK(allowed(answer) == "*");
    CHECK(value(answer, "access-control-allow-credentials") == "(none)");
  }
  // The same for whoever asks, lest a cache hands a page the answer to somebody without an origin.
  CHECK(allowed(open.send("GET", "/.well-known/oauth-authorization-server")) == "*");
  CHECK(allowed(open.send("GET", authorize, {"Origin: https://app.example"})) == "(none)");
}
