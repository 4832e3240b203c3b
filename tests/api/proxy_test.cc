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
    CHECK(server.send("GET", "/metrics").status == 200);
    CHECK(server.send("GET", "/metrics", {"X-Forwarded-For: 198.51.100.1"}).status == 403);
    CHECK_THAT(server.send("GET", metadata, {"X-Forwarded-Proto: https"}).body, Contains("\"issuer\":\"https://127."));
    CHECK_THAT(server.send("GET", metadata, {"X-Forwarded-Proto: http"}).body, Contains("\"issuer\":\"http://127."));
    const Answer page = server.send("GET", login_page, {"X-Forwarded-Proto: https"});
    INFO(page.body);
    REQUIRE(page.headers.count("set-cookie") == 1);
    CHECK_THAT(page.headers.at("set-cookie"), Contains("; Secure"));
  }
  CHECK_THAT(contents(folder.path() + "/log"), Contains("address=198.51.100.2 ") && !Contains("1.2.3."));
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
    CHECK(server.send("GET", "/metrics", {"X-Forwarded-For: 198.51.100.1"}).status == 200);
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
