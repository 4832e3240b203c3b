// Signing in with a browser, over the socket (API rule 6.5): what a trusted proxy hands over becomes a code, and a
// code becomes tokens. The page itself is tested in tests/browser.
#include "server_process.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string secret = "correct-horse-battery";
// RFC 7636, appendix B.
const std::string verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";
const std::string challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
const std::string redirect_uri = "http://127.0.0.1:8765/callback";
const std::string target =
    "/service.web/oauth/authorize?response_type=code&client_id=sample-app&state=s&scope=session-type:Analyst"
    "&redirect_uri=" +
    redirect_uri + "&code_challenge_method=S256&code_challenge=" + challenge;

struct ProxiedDesk {
  TemporaryFolder folder;
  ServerProcess server{folder.path(),
                       {"--samples", "--set", "sso.trusted_proxies=127.0.0.1", "--set", "sso.secret=" + secret, "--set",
                        "sso.realms=CORP", "--set", "base_url=https://desk.example"}};
};

const ServerProcess& proxied() {
  static const ProxiedDesk desk;
  return desk.server;
}

ServerProcess::Headers vouched(const std::string& name) {
  return {"X-Remote-User: " + name, "X-Callisto-Proxy-Secret: " + secret};
}

}  // namespace

TEST_CASE("the person of a trusted proxy gets a code, and the code tokens of that person") {
  const Answer answer = proxied().send("GET", target, vouched("CORP\\analyst"));
  REQUIRE(answer.status == 303);
  const std::string location = answer.headers.at("location");
  REQUIRE(location.starts_with(redirect_uri + "?code="));
  CHECK(location.ends_with("&state=s&iss=https%3A%2F%2Fdesk.example"));
  const std::size_t start = redirect_uri.size() + 6;
  const std::string code = location.substr(start, location.find('&') - start);
  const Answer tokens = proxied().login("client_id=sample-app&grant_type=authorization_code&code=" + code +
                                        "&redirect_uri=" + redirect_uri + "&code_verifier=" + verifier);
  INFO(tokens.body);
  REQUIRE(tokens.status == 200);
  const std::string token = json::parse(tokens.body)->find("access_token")->text();
  const Answer mine =
      Client(proxied(), token).get("v1/person", {{"$filter", "Ref == @UserId"}, {"$select", "LastName"}});
  INFO(mine.body);
  CHECK(mine.status == 200);
  CHECK(mine.body.find("Zieliński") != std::string::npos);
}

TEST_CASE("what no trusted proxy vouches for gets the login page") {
  const std::string page = "<form method=\"post\"";
  for (const ServerProcess::Headers& headers :
       {ServerProcess::Headers{"X-Remote-User: analyst"},
        ServerProcess::Headers{"X-Remote-User: analyst", "X-Callisto-Proxy-Secret: guess"},
        ServerProcess::Headers{"X-Remote-User: user", "x-remote-user: analyst", "X-Callisto-Proxy-Secret: " + secret},
        ServerProcess::Headers{"X-Remote-User: analyst", "X-Callisto-Proxy-Secret: guess",
                               "X-Callisto-Proxy-Secret: " + secret}}) {
    const Answer answer = proxied().send("GET", target, headers);
    CHECK(answer.status == 200);
    CHECK(answer.body.find(page) != std::string::npos);
  }
  const Answer without = sample_server().send("GET", target, vouched("analyst"));
  CHECK(without.status == 200);
  CHECK(without.body.find(page) != std::string::npos);
}

TEST_CASE("the page's cookie is for https alone where the base url is https") {
  CHECK(proxied().send("GET", target).headers.at("set-cookie").starts_with("__Host-callisto-sign-in="));
  CHECK(sample_server().send("GET", target).headers.at("set-cookie").starts_with("callisto-sign-in="));
}

TEST_CASE("a person whom nobody knows here, and a user who asks for an analyst's session, are refused") {
  for (const char* name : {"nobody", "EVIL\\analyst", "user"}) {
    const Answer answer = proxied().send("GET", target, vouched(name));
    CHECK(answer.status == 303);
    CHECK(answer.headers.at("location").starts_with(redirect_uri + "?error=access_denied&"));
  }
}

TEST_CASE("a proxy or an identity provider that cannot be trusted stops the start with what to do") {
  const TemporaryFolder folder;
  const std::vector<std::pair<std::string, std::string>> rows{
      {"sso.trusted_proxies=127.0.0.1", "openssl rand -hex 32"},
      {"sso.secret=" + secret, "sso.trusted_proxies names no proxy"},
      {"sso.trusted_proxies=localhost", "10.1.0.0/16"},
      {"oidc.issuer=https://login.example", "oidc.issuer needs base_url"},
  };
  for (const auto& [setting, words] : rows) {
    const Finished finished =
        run_program({"serve", "--samples", "--listen", "127.0.0.1:0", "--data", folder.path(), "--set", setting});
    INFO(finished.output);
    CHECK(finished.exit_status == 1);
    CHECK(finished.output.find(words) != std::string::npos);
    CHECK(finished.output.find(secret) == std::string::npos);
  }
}
