// Every row of the login tables over HTTP (API rules 6.1, 5.1 and 6).
#include "engine/base/base64.h"
#include "oauth_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

OAuthDesk& desk() {
  static OAuthDesk one;
  return one;
}

const std::string by_password =
    "grant_type=password&client_id=sample-app&username=analyst&password=callisto&scope=session-type:Analyst";
const std::string by_itself = "grant_type=client_credentials&scope=session-type:User";
const std::string by_code = "grant_type=authorization_code&client_id=sample-app&code=cac_";
const std::string letters(43, 'A');

}  // namespace

TEST_CASE("each refusal of a login has its row of the table") {
  struct Case {
    std::string form, what;
  };
  const std::vector<Case> cases{
      {"", "400 invalid_request"},
      {"grant_type=", "400 invalid_request"},
      {"grant_type=client_credentials", "400 invalid_request"},
      {by_itself, "400 invalid_request"},
      {by_itself + "&client_id=quick", "401 invalid_client"},
      {by_itself + "&client_id=quick&client_secret=", "401 invalid_client"},
      {by_itself + "&client_id=quick&client_secret=wrong", "401 invalid_client"},
      {by_itself + "&client_id=QUICK&client_secret=quick-secret", "401 invalid_client"},
      {by_itself + "&client_id=nobody&client_secret=quick-secret", "401 invalid_client"},
      {by_itself + "&client_id=disabled-app", "401 invalid_client"},
      {by_itself + "&client_id=sample-app", "400 unauthorized_client"},
      {"grant_type=client_credentials&scope=session-type:Analyst" + by_quick, "400 invalid_scope"},
      {"grant_type=client_credentials&scope=session-type:user" + by_quick, "400 invalid_scope"},
      {by_itself + by_quick + "&scope=session-type:User", "400 invalid_request"},
      {by_itself + by_quick + "&CLIENT_ID=quick", "400 invalid_request"},
      {by_itself + by_quick + "&other=%00", "400 invalid_request"},
      {by_itself + by_quick + "&other=%ff", "400 invalid_request"},
      {by_itself + by_quick + "&other=%zz", "400 invalid_request"},
      {by_itself + by_quick + "&other=" + std::string(4097, 'a'), "400 invalid_request"},
      {"grant_type=CLIENT_CREDENTIALS&scope=session-type:User" + by_quick, "400 unsupported_grant_type"},
      {"grant_type=urn:ietf:params:oauth:grant-type:jwt-bearer" + by_quick, "400 unsupported_grant_type"},
      {by_password + "&client_secret=ignored-without-one", "200 (none)"},
      {"grant_type=authorization_code&client_id=sample-app", "400 invalid_request"},
      {by_code + letters, "400 invalid_request"},
      {by_code + letters + "&code_verifier=" + letters, "400 invalid_grant"},
      {by_code + letters.substr(1) + "&code_verifier=" + letters, "400 invalid_grant"},
      {by_code + letters + "&code_verifier=" + letters + "&client_secret=", "400 invalid_grant"},
      {"grant_type=authorization_code&code=cac_" + letters + by_quick, "400 unauthorized_client"},
      {"grant_type=refresh_token&client_id=sample-app", "400 invalid_request"},
      {"grant_type=refresh_token&client_id=sample-app&refresh_token=crt_" + letters, "401 invalid_grant"},
      {"grant_type=refresh_token&client_id=sample-app&refresh_token=cat_" + letters, "401 invalid_grant"},
      {"grant_type=refresh_token&client_id=sample-app&refresh_token=crt_" + letters + "A", "401 invalid_grant"},
      {"grant_type=refresh_token&refresh_token=crt_" + letters, "400 invalid_request"},
      {"grant_type=refresh_token&client_id=nobody&refresh_token=crt_" + letters, "401 invalid_client"},
  };
  for (const Case& each : cases) {
    INFO(each.form.substr(0, 200));
    CHECK(desk().send("login", each.form).what() == each.what);
  }
}

TEST_CASE("every reason not to let a person in is told in the same words") {
  const std::string rest = "grant_type=password&client_id=sample-app&username=";
  const Told expected = desk().send("login", rest + "analyst&password=wrong&scope=session-type:Analyst");
  CHECK(expected.what() == "400 invalid_grant");
  for (const char* each :
       {"nobody&password=callisto&scope=session-type:Analyst", "user&password=callisto&scope=session-type:Analyst",
        "analyst&password=CALLISTO&scope=session-type:User", "%2525&password=callisto&scope=session-type:User"}) {
    INFO(each);
    const Told told = desk().send("login", rest + each);
    CHECK(told.status == expected.status);
    CHECK(told.raw == expected.raw);
  }
  // So are a wrong secret and an unknown client.
  CHECK(desk().send("login", by_itself + "&client_id=quick&client_secret=x").raw ==
        desk().send("login", by_itself + "&client_id=nobody&client_secret=x").raw);
}

TEST_CASE("the three endpoints take forms by POST and nothing else") {
  for (const std::string endpoint : {"login", "logout", "revoke"}) {
    INFO(endpoint);
    const std::string url = "/service.web/oauth/" + endpoint;
    for (const char* method : {"GET", "PUT", "DELETE", "PATCH"}) {
      const Answer answer = desk().server().send(method, url);
      CHECK(answer.status == 405);
      CHECK(answer.headers.at("allow") == "POST");
      CHECK(answer.body.find("\"error\"") != std::string::npos);
    }
    for (const char* type : {"Content-Type: application/json", "Content-Type: text/plain",
                             "Content-Type: multipart/form-data; boundary=x", "Content-Type:"}) {
      const Answer answer = desk().server().send("POST", url, {type}, "token=x");
      CHECK(answer.status == 415);
      CHECK(answer.body.find("\"error\"") != std::string::npos);
      CHECK(answer.headers.at("cache-control") == "no-store");
    }
    const Answer charset =
        desk().server().send("POST", url, {"Content-Type: APPLICATION/x-www-form-urlencoded;charset=UTF-8"}, "token=x");
    CHECK(charset.status != 415);
    CHECK(desk().server().send("POST", url + "/x").status == 404);
  }
}

TEST_CASE("a program that signs in for itself gets what the table of answers says, and may refresh it") {
  const Told told = desk().send("login", by_itself + by_quick);
  CHECK(told.status == 200);
  CHECK(told["token_type"] == "Bearer");
  CHECK(told["expires_in"] == "600");
  CHECK(told["scope"] == "session-type:User");
  CHECK(told.headers.at("pragma") == "no-cache");
  const std::string again = "grant_type=refresh_token&refresh_token=" + told["refresh_token"] + by_quick;
  CHECK(desk().send("login", again).status == 200);
  CHECK(desk().send("login", again).what() == "401 invalid_grant");
  const Told by_basic = desk().send("login", by_itself, {"Authorization: Basic cXVpY2s6cXVpY2stc2VjcmV0"});
  CHECK(by_basic.status == 200);
  for (const char* wrong : {"wrong", "quick-secret=x", "quick-secret&x", "quick-secret&", "=quick-secret"}) {
    INFO(wrong);
    const std::string credentials = encode_base64("quick:" + std::string(wrong), Base64::Padded);
    const Told refused = desk().send("login", by_itself, {"Authorization: Basic " + credentials});
    CHECK(refused.what() == "401 invalid_client");
    CHECK(refused.headers.at("www-authenticate").starts_with("Basic"));
  }
}

TEST_CASE("standard clients find out how to sign in (RFC 8414)") {
  OAuthDesk& own = desk();
  const std::string& base = own.server().base_url();
  const auto metadata = json::parse(own.server().send("GET", "/.well-known/oauth-authorization-server").body);
  REQUIRE(metadata);
  const auto text = [&](const char* name) { return metadata->find(name)->text(); };
  CHECK(text("issuer") == base);
  CHECK(text("token_endpoint") == base + "/service.web/oauth/login");
  CHECK(text("revocation_endpoint") == base + "/service.web/oauth/revoke");
  CHECK(text("authorization_endpoint") == base + "/service.web/oauth/authorize");
  CHECK(metadata->find("code_challenge_methods_supported")->items()[0].text() == "S256");
  CHECK(metadata->find("grant_types_supported")->items().size() == 4);
  CHECK(own.server().send("POST", "/.well-known/oauth-authorization-server").status == 405);
  CHECK(own.server().send("GET", "/.well-known/oauth-authorization-server/x").status == 404);
  CHECK(own.server().send("GET", "/.well-known/oauth-authorization-serverx").status == 404);
}

TEST_CASE("behind a proxy the issuer is the url of the settings, its metadata at both places that RFC 8414 allows") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(),
                             {"--set", "base_url=https://desk.example.com/a", "--set", "oauth.root=/sign-in"});
  for (const char* path : {"/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/a"}) {
    const auto metadata = json::parse(server.send("GET", path, {"Host: evil.example"}).body);
    REQUIRE(metadata);
    CHECK(metadata->find("issuer")->text() == "https://desk.example.com/a");
    CHECK(metadata->find("token_endpoint")->text() == "https://desk.example.com/a/sign-in/login");
  }
  CHECK(server.send("GET", "/.well-known/oauth-authorization-server/b").status == 404);
}
