// A server that a proxy publishes below a path: every url that it writes has the path, and requests come with it or
// without it.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <string>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Contains;

std::string value(const Answer& answer, const std::string& name) {
  const auto found = answer.headers.find(name);
  return found == answer.headers.end() ? "(none)" : found->second;
}

const std::string authorize =
    "/service.web/oauth/authorize?response_type=code&client_id=sample-app&state=s&scope=session-type:Analyst"
    "&redirect_uri=http://127.0.0.1:8765/callback&code_challenge_method=S256"
    "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";  // RFC 7636, appendix B

// How often `text` names a url of this server, and whether each of them begins as `url` does.
struct Urls {
  int count = 0;
  bool all_right = true;
};
Urls urls_in(const std::string& text, const std::string& url) {
  Urls urls;
  for (std::size_t at = 0; (at = text.find("https://x.example", at)) != text.npos; ++at, ++urls.count)
    urls.all_right = urls.all_right && text.compare(at, url.size() + 9, url + "/service.") == 0;
  for (const char* bare : {"\"/service.", "\"/desk", "\"/it/"})
    urls.all_right = urls.all_right && text.find(bare) == text.npos;
  return urls;
}

}  // namespace

TEST_CASE("every url that the server writes has the path of base_url") {
  for (const std::string& path : {std::string("/desk"), std::string("/it/desk"), std::string("/service.api")}) {
    INFO(path);
    const TemporaryFolder folder;
    const std::string url = "https://x.example" + path;
    ServerProcess server(folder.path(), {"--samples", "--set", "base_url=" + url});
    CHECK_THAT(server.printed_until("README.md"), Contains("$(curl -s " + url + "/service.web/oauth/login"));
    const std::string token = server.token("analyst");
    for (const std::string& before : {std::string(), path}) {  // the proxy takes the path off, or does not
      INFO("before: " << before);
      const auto get = [&](const std::string& target) { return server.send("GET", before + target); };
      const auto signed_in = [&](const char* method, const std::string& target, const char* body = "") {
        return server.send(method, before + target,
                           {"Authorization: Bearer " + token, "Content-Type: application/json"}, body);
      };
      const Answer made = signed_in("POST", "/service.api/api/v1/call", R"({"ShortDescription": "One"})");
      REQUIRE(made.status == 200);
      CHECK(value(made, "location").starts_with(path + "/service.api/api/v1/call/"));
      CHECK(server.send("GET", value(made, "location"), {"Authorization: Bearer " + token}).status == 200);

      const Answer nobody = get("/service.api/api/v1/call");
      CHECK(nobody.status == 401);
      CHECK_THAT(value(nobody, "www-authenticate"),
                 Contains("\"https://x.example/.well-known/oauth-protected-resource" + path + "/service.api/api\""));

      const Answer page = get(authorize);
      REQUIRE(page.status == 200);
      CHECK_THAT(page.body, Contains("action=\"" + path + "/service.web/oauth/authorize\""));
      CHECK_THAT(value(page, "set-cookie"), Contains("__Host-callisto-sign-in=") && Contains("; Path=/;"));

      const Answer document = signed_in("GET", "/service.api/api/v1/openapi.json");
      REQUIRE(document.status == 200);
      CHECK(urls_in(document.body, url).count > 0);
      CHECK(urls_in(document.body, url).all_right);
      CHECK(get("/healthz").status == 200);
    }
  }
}

// RFC 8414 3.1 and RFC 9728 3.1 put the path behind the well-known one; a proxy that publishes /desk alone passes on
// what stands below it.
TEST_CASE("documents of signing in are found wherever a client looks for them") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "base_url=https://x.example/it/desk"});
  for (const char* place :
       {"/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/it/desk",
        "/it/desk/.well-known/oauth-authorization-server"}) {
    INFO(place);
    const Answer found = server.send("GET", place);
    REQUIRE(found.status == 200);
    CHECK_THAT(found.body, Contains(R"("issuer":"https://x.example/it/desk")") &&
                               Contains(R"("token_endpoint":"https://x.example/it/desk/service.web/oauth/login")"));
  }
  for (const char* place : {"/.well-known/oauth-protected-resource/it/desk/service.api/api",
                            "/.well-known/oauth-protected-resource/service.api/api",
                            "/it/desk/.well-known/oauth-protected-resource/service.api/api"}) {
    INFO(place);
    const Answer found = server.send("GET", place);
    REQUIRE(found.status == 200);
    CHECK_THAT(found.body, Contains(R"("resource":"https://x.example/it/desk/service.api/api")"));
  }
  for (const char* place :
       {"/.well-known/oauth-authorization-server/it", "/.well-known/oauth-authorization-server/desk",
        "/.well-known/oauth-authorization-server/it/desk/x", "/it/healthz", "/it/deskhealthz"}) {
    INFO(place);
    CHECK(server.send("GET", place).status == 404);
  }
}

TEST_CASE("the first administrator's link is of the address that clients reach, and works there") {
  const TemporaryFolder folder;
  ServerProcess server(folder.path(), {"--set", "base_url=https://x.example/desk"});
  const std::string printed = server.printed_until("callisto person add");
  const std::string start = "https://x.example/desk/service.web/oauth/setup?token=";
  const std::size_t at = printed.find(start);
  REQUIRE(at != printed.npos);
  const std::string link = printed.substr(at, printed.find_first_of(" \n", at) - at);
  const std::string below_host = link.substr(std::string("https://x.example").size());
  CHECK(server.send("GET", below_host).status == 200);
  CHECK(server.send("GET", below_host.substr(std::string("/desk").size())).status == 200);
}

TEST_CASE("a base_url that cannot be one path below a host is refused with words") {
  for (const char* value : {"https://x.example/desk/", "https://x.example//desk", "https://x.example/a/../desk"}) {
    const auto finished = run_program({"check", "--set", std::string("base_url=") + value});
    INFO(finished.output);
    CHECK(finished.exit_status == 2);
    CHECK_THAT(finished.output, Contains("base_url") && Contains("https://example.com/desk"));
  }
}
