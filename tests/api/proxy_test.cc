// A server behind a reverse proxy that it trusts, and before one that it does not.
#include "server_process.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace {

using namespace callisto;
using namespace callisto::tests;
using Catch::Matchers::Contains;

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string> with(std::vector<std::string> more) {
  std::vector<std::string> arguments{"--samples", "--set", "oauth.attempts_per_minute=2"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return arguments;
}

int attempt(const ServerProcess& server, const std::string& forwarded) {
  return server
      .send("POST", "/service.web/oauth/login",
            {"Content-Type: application/x-www-form-urlencoded", "X-Forwarded-For: " + forwarded},
            "client_id=sample-app&grant_type=password&username=user&password=wrong&scope=session-type:User")
      .status;
}

const std::string login_page =
    "/service.web/oauth/authorize?response_type=code&client_id=sample-app&state=s&scope=session-type:Analyst"
    "&redirect_uri=http://127.0.0.1:8765/callback&code_challenge_method=S256"
    "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";  // RFC 7636, appendix B
const std::string metadata = "/.well-known/oauth-authorization-server";

}  // namespace

TEST_CASE("clients behind a trusted proxy are told apart: attempts, logs, metrics, https") {
  const TemporaryFolder folder;
  {
    const ServerProcess server(folder.path(), with({"--set", "http.trusted_proxies=127.0.0.1,10.0.0.0/8"}),
                               folder.path() + "/log");
    for (const char* client : {"198.51.100.1", "198.51.100.2"}) {
      CHECK(attempt(server, std::string("1.2.3.4, ") + client) == 400);
      CHECK(attempt(server, std::string("1.2.3.5, ") + client + ", 10.9.9.9") == 400);
      CHECK(attempt(server, std::string("1.2.3.6, ") + client) == 429);
    }
    // Those whom the proxy does not name are one client, and not the proxy.
    CHECK(attempt(server, "unknown") == 400);
    CHECK(attempt(server, "_hidden") == 400);
    CHECK(attempt(server, "198.51.100.9,") == 429);
    CHECK(server.send("GET", "/metrics").status == 200);
    for (const char* forwarded : {"198.51.100.1", "unknown", "198.51.100.1,", "localhost"})
      CHECK(server.send("GET", "/metrics", {std::string("X-Forwarded-For: ") + forwarded}).status == 403);
    CHECK(server.send("GET", "/metrics", {"X-Forwarded-For;"}).status == 403);
    CHECK_THAT(server.send("GET", metadata, {"X-Forwarded-Proto: https"}).body, Contains("\"issuer\":\"https://127."));
    CHECK_THAT(server.send("GET", metadata, {"X-Forwarded-Proto: http"}).body, Contains("\"issuer\":\"http://127."));
    const Answer page = server.send("GET", login_page, {"X-Forwarded-Proto: https"});
    INFO(page.body);
    REQUIRE(page.headers.count("set-cookie") == 1);
    CHECK_THAT(page.headers.at("set-cookie"), Contains("; Secure"));
  }
  CHECK_THAT(contents(folder.path() + "/log"), Contains("address=198.51.100.2 ") && !Contains("1.2.3."));
  CHECK_THAT(contents(folder.path() + "/log"), Contains("the range 10.0.0.0/8") && !Contains("the range 127.0.0.1"));
  CHECK_THAT(contents(folder.path() + "/audit.jsonl"), Contains("\"address\":\"198.51.100.1\"") && !Contains("1.2.3."));
}

TEST_CASE("what nobody trusted forwards counts for nothing") {
  const TemporaryFolder folder;
  {
    const ServerProcess server(folder.path(), with({"--set", "http.trusted_proxies=10.0.0.0/8"}),
                               folder.path() + "/log");
    CHECK(attempt(server, "198.51.100.1") == 400);
    CHECK(attempt(server, "198.51.100.2") == 400);
    CHECK(attempt(server, "198.51.100.3") == 429);
    CHECK(attempt(server, "unknown") == 429);
    CHECK(
        server.login("client_id=sample-app&grant_type=password&username=user&password=callisto&scope=session-type:User")
            .status == 200);  // who comes by himself is another
    // Somebody stands between who tells nothing that can be believed: it need not be this machine that asks.
    CHECK(server.send("GET", "/metrics").status == 200);
    for (const char* header : {"X-Forwarded-For: 198.51.100.1", "X-Forwarded-For: 127.0.0.1", "X-Forwarded-For;",
                               "Forwarded: for=127.0.0.1", "Via: 1.1 gate"}) {
      INFO(header);
      const Answer metrics = server.send("GET", "/metrics", {header});
      CHECK(metrics.status == 403);
      CHECK_THAT(metrics.body, Contains("http.trusted_proxies"));
    }
    CHECK_THAT(server.send("GET", metadata, {"X-Forwarded-Proto: https"}).body, Contains("\"issuer\":\"http://127."));
    const Answer page = server.send("GET", login_page, {"X-Forwarded-Proto: https"});
    REQUIRE(page.headers.count("set-cookie") == 1);
    CHECK_THAT(page.headers.at("set-cookie"), !Contains("Secure"));
  }
  CHECK_THAT(contents(folder.path() + "/log"), !Contains("198.51."));
  CHECK_THAT(contents(folder.path() + "/audit.jsonl"), !Contains("198.51."));
  const Finished wrong = run_program(
      {"serve", "--data", folder.path() + "/new", "--listen", "127.0.0.1:0", "--set", "http.trusted_proxies=nginx"});
  INFO(wrong.output);
  CHECK(wrong.exit_status == 1);
  CHECK_THAT(wrong.output, Contains("http.trusted_proxies") && Contains("10.1.0.0/16"));
}

// A page of any site can have its own name lead to loopback.
TEST_CASE("a server on loopback answers to loopback and to names of its own; with base_url to every name") {
  const TemporaryFolder folder;
  {
    const ServerProcess server(folder.path(), {"--samples", "--set", "http.hosts=desk.test"});
    for (const char* host :
         {"Host: desk.test", "Host: DESK.TEST:99", "Host: localhost:1", "Host: 127.0.0.1", "Host: [::1]:8080"}) {
      INFO(host);
      CHECK(server.send("GET", metadata, {host}).status == 200);
    }
    for (const char* probe : {"/healthz", "/readyz"})
      CHECK(server.send("GET", probe, {"Host: evil.example"}).status == 200);
    for (const char* path : {"/metrics", "/.well-known/oauth-authorization-server", "/service.api/api/v1/call", "/"}) {
      for (const char* host : {"Host: evil.example", "Host: evil.example:8080", "Host: 127.0.0.1.evil.example",
                               "Host: xdesk.test", "Host: 10.0.0.1"}) {
        INFO(path << " " << host);
        const Answer answer = server.send("GET", path, {host});
        CHECK(answer.status == 421);
        CHECK_THAT(answer.body, Contains("base_url") && Contains("http.hosts") && !Contains("issuer"));
      }
    }
    // A proxy's word does not change it, since a page can send that too.
    CHECK(server.send("GET", metadata, {"Host: evil.example", "X-Forwarded-Host: localhost"}).status == 421);
  }
  const ServerProcess published(folder.path() + "/b", {"--samples", "--set", "base_url=https://desk.example"});
  const Answer answer = published.send("GET", metadata, {"Host: evil.example"});
  CHECK(answer.status == 200);
  CHECK_THAT(answer.body, Contains("https://desk.example/") && !Contains("evil"));
}
