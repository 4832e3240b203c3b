// How people and programs really sign in: blanks around names, letters in two forms, Basic that nobody encoded, guesses
// from elsewhere; and what a client is told that has no token.
#include "oauth_desk.h"

#include "engine/base/base64.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

OAuthDesk& desk() {
  static OAuthDesk desk({"--set", "http.trusted_proxies=127.0.0.1"});
  return desk;
}

int sign_in(const std::string& login, const std::string& password, const std::string& address = "192.0.2.1") {
  return desk()
      .send("login",
            "grant_type=password&client_id=sample-app&scope=session-type:User&username=" + login +
                "&password=" + password,
            {"X-Forwarded-For: " + address})
      .status;
}

std::string basic(const std::string& credentials) {
  return "Authorization: Basic " + encode_base64(credentials, Base64::Padded);
}

}  // namespace

TEST_CASE("blanks around a login name are not part of it; those of a password are") {
  for (const char* name :
       {"user%20", "%20user", "+USER+", "%09user%0A", "user%C2%A0", "%E3%80%80user", "%E2%80%8Buser"}) {
    INFO(name);
    CHECK(sign_in(name, "callisto") == 200);
  }
  for (const char* name : {"us%20er", "%20", "user%20x"}) CHECK(sign_in(name, "callisto") == 400);
  for (const char* password : {"callisto%20", "%20callisto"}) CHECK(sign_in("user", password) == 400);
}

TEST_CASE("a client secret with signs that form encoding means otherwise works unencoded and encoded") {
  const Pair admin = desk().pair("admin", "session-type:Analyst");
  const Told made = desk().api(admin.access, "POST", "client",
                               R"({"ClientId": "odd+id%41", "Name": "Odd", "Grants": "client_credentials"})");
  REQUIRE(made.status == 200);
  const std::string form = "grant_type=client_credentials&scope=session-type:User";
  const std::pair<const char*, const char*> secrets[] = {
      {"a+b%41&c=d:e", "a%2Bb%2541%26c%3Dd%3Ae"}, {"100%-sure", "100%25-sure"},
      {"%%%%%%%%", "%25%25%25%25%25%25%25%25"},   {"pass word", "pass+word"},
      {"plain-secret", "plain-secret"},           {"\u00FCml\u00E4ut%C3%A9+", "%C3%BCml%C3%A4ut%25C3%25A9%2B"}};
  for (const auto& [secret, encoded] : secrets) {
    INFO(secret);
    REQUIRE(desk()
                .api(admin.access, "PUT", "client/" + made["Ref"] + "/set-secret",
                     R"({"Secret": ")" + std::string(secret) + "\"}")
                .status == 200);
    CHECK(desk().send("login", form, {basic("odd+id%41:" + std::string(secret))}).status == 200);
    CHECK(desk().send("login", form, {basic("odd%2Bid%2541:" + std::string(encoded))}).status == 200);
    const Told wrong = desk().send("login", form, {basic("odd+id%41:" + std::string(secret) + "x")});
    CHECK(wrong.what() == "401 invalid_client");
  }
}

TEST_CASE("a password that was set in one form of its letters is taken in the other") {
  const Pair admin = desk().pair("admin", "session-type:Analyst");
  const std::pair<const char*, const char*> forms[] = {
      {"Z\u00FCrich-\u00C5ngstr\u00F6m", "Zu%CC%88rich-A%CC%8Angstro%CC%88m"},
      {"Zu\u0308rich-A\u030Angstro\u0308m", "Z%C3%BCrich-%C3%85ngstr%C3%B6m"},
      {"\uD55C\uAD6D\uC5B4 \uC554\uD638!22",
       "%E1%84%92%E1%85%A1%E1%86%AB%E1%84%80%E1%85%AE%E1%86%A8%E1%84%8B%E1%85%A5+"
       "%E1%84%8B%E1%85%A1%E1%86%B7%E1%84%92%E1%85%A9!22"}};
  for (const auto& [set, typed] : forms) {
    REQUIRE(desk()
                .api(admin.access, "PUT", "person/5/set-password", R"({"Password": ")" + std::string(set) + "\"}")
                .status == 200);
    CHECK(sign_in("user2", typed) == 200);
  }
  CHECK(desk().api(admin.access, "PUT", "person/5/set-password", R"({"Password": "callisto"})").status == 200);
}

TEST_CASE("wrong guesses lock the network that they come from, not the person elsewhere, also after a restart") {
  for (int i = 0; i < 12; ++i) CHECK(sign_in("admin", "wrong", "203.0.113.7") == 400);
  const auto check = [] {
    CHECK(sign_in("admin", "callisto", "203.0.113.7") == 400);
    CHECK(sign_in("admin", "callisto", "203.0.113.8") == 200);
    CHECK(sign_in("admin", "callisto", "2001:db8::5") == 200);
    CHECK(sign_in("user", "callisto", "203.0.113.7") == 200);
  };
  check();
  desk().server().stop();
  desk().start();
  check();
}

TEST_CASE("a 401 tells where to sign in, and that a token was not good (RFC 6750 3.1, RFC 9728)") {
  const std::string origin = desk().server().base_url(), api = "/service.api/api";
  const std::string where =
      "Bearer resource_metadata=\"" + origin + "/.well-known/oauth-protected-resource" + api + "\"";
  const auto challenge = [&](const ServerProcess::Headers& headers) {
    const Answer answer = desk().server().send("GET", api + "/v1/call", headers);
    CHECK(answer.status == 401);
    return answer.headers.at("www-authenticate");
  };
  CHECK(challenge({}) == where);
  CHECK(challenge({"Authorization: Basic YTpi"}) == where);
  for (const char* token : {"cat_made_up", "crt_x", "\"", "x y"})
    CHECK(challenge({"Authorization: Bearer " + std::string(token)}) == where + ", error=\"invalid_token\"");

  const auto document = [&](const std::string& path) {
    const Answer answer = desk().server().send("GET", "/.well-known/oauth-protected-resource" + path);
    REQUIRE(answer.status == 200);
    CHECK(answer.headers.at("content-type").starts_with("application/json"));
    auto body = json::parse(answer.body);
    REQUIRE(body);
    return *std::move(body);
  };
  const json::Node told = document(api);
  CHECK(told.find("resource")->text() == origin + api);
  CHECK(told.find("authorization_servers")->items().front().text() == origin);
  CHECK(told.find("bearer_methods_supported")->items().front().text() == "header");
  CHECK(told.find("scopes_supported")->items().size() == 2);
  CHECK(document("").find("resource")->text() == origin);
  CHECK(desk().server().send("GET", "/.well-known/oauth-protected-resource/else").status == 404);
  CHECK(desk().server().send("POST", "/.well-known/oauth-protected-resource").status == 405);
}

TEST_CASE("a server below a path names its metadata as RFC 9728 has it") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "base_url=https://x.example/desk"});
  const Answer refused = server.send("GET", "/service.api/api/v1/call");
  CHECK(refused.headers.at("www-authenticate") ==
        "Bearer resource_metadata=\"https://x.example/.well-known/oauth-protected-resource/desk/service.api/api\"");
  for (const char* path : {"/desk/service.api/api", "/service.api/api"}) {
    const Answer told = server.send("GET", "/.well-known/oauth-protected-resource" + std::string(path));
    REQUIRE(told.status == 200);
    const auto body = json::parse(told.body);
    CHECK(body->find("resource")->text() == "https://x.example/desk/service.api/api");
    CHECK(body->find("authorization_servers")->items().front().text() == "https://x.example/desk");
  }
  CHECK(server.send("GET", "/.well-known/oauth-authorization-server/desk").status == 200);
}

TEST_CASE("refreshes, sign-ins of programs, files and repeat keys have rates: 429, Retry-After, a counter") {
  OAuthDesk limited({"--set", "oauth.refreshes_per_minute=2", "--set", "oauth.client_sign_ins_per_minute=2", "--set",
                     "limits.uploads=3K", "--set", "limits.repeat_keys=2"});
  const auto refused = [](const Told& told) {
    INFO(told.raw);
    CHECK(told.status == 429);
    CHECK(std::stoi(told.headers.at("retry-after")) > 0);
  };
  std::string refresh = limited.pair("user").refresh;
  const auto renew = [&] {
    const Told told = limited.send("login", "grant_type=refresh_token&client_id=sample-app&refresh_token=" + refresh);
    if (told.status == 200) refresh = told["refresh_token"];
    return told;
  };
  CHECK(renew().status == 200);
  CHECK(renew().status == 200);
  refused(renew());
  limited.quick();
  limited.quick();
  refused(limited.send("login", "grant_type=client_credentials&scope=session-type:User" + by_quick));

  const Pair analyst = limited.pair("analyst", "session-type:Analyst"),
             other = limited.pair("analyst2", "session-type:Analyst");
  const auto upload = [&](const Pair& pair, std::size_t bytes) {
    const std::string call = limited.api(pair.access, "POST", "incident", R"({"ShortDescription": "x"})")["Ref"];
    return limited.api(
        pair.access, "POST", "incident/" + call + "/attachment",
        R"({"Name": "a.txt", "ContentType": "text/plain", "BinaryData": ")" + std::string(bytes, 'A') + "\"}");
  };
  const Told first = upload(analyst, 1600);
  INFO(first.raw);
  CHECK(first.status == 200);
  refused(upload(analyst, 1600));
  refused(upload(other, 4000));  // more than a day's, ever
  CHECK(upload(other, 1600).status == 200);

  const auto create = [&](const std::string& key) {
    const Answer answer = limited.server().send(
        "POST", "/service.api/api/v1/incident",
        {"Authorization: Bearer " + analyst.access, "Content-Type: application/json", "Idempotency-Key: " + key},
        R"({"ShortDescription": "x"})");
    return answer;
  };
  CHECK(create("one").status == 200);
  CHECK(create("two").status == 200);
  const Answer third = create("three");
  CHECK(third.status == 429);
  CHECK(third.headers.count("retry-after") == 1);
  CHECK(limited.api(analyst.access, "POST", "incident", R"({"ShortDescription": "x"})").status == 200);

  const std::string metrics = limited.server().send("GET", "/metrics").body;
  for (const char* line : {"{rate=\"refreshes\"} 1", "{rate=\"client_sign_ins\"} 1", "{rate=\"uploads\"} 2",
                           "{rate=\"repeat_keys\"} 1", "{rate=\"sign_in_attempts\"} 0"}) {
    INFO(line);
    CHECK(metrics.find("callisto_rate_limited_total" + std::string(line)) != std::string::npos);
  }
}
