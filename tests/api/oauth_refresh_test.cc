// Refreshing, forged tokens and guessing over HTTP (API rules 6.3, 6.4).
#include "oauth_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const OAuthDesk& desk() {
  static const OAuthDesk one;
  return one;
}

Told refresh(const std::string& token, const std::string& client = by_quick) {
  return desk().send("login", "grant_type=refresh_token&refresh_token=" + token + client);
}

Pair refreshed(const std::string& token) {
  const Told told = refresh(token);
  REQUIRE(told.status == 200);
  return {told["access_token"], told["refresh_token"]};
}

bool lives(const Pair& pair) { return desk().api(pair.access, "GET", "").status == 200; }

}  // namespace

TEST_CASE("a refresh answers a new pair and keeps the earlier access token for its ten minutes") {
  const Pair first = desk().quick(), second = refreshed(first.refresh);
  CHECK(second.refresh != first.refresh);
  CHECK(lives(first));
  CHECK(lives(second));
}

TEST_CASE("a spent refresh token is 401; right after its use nothing ends, once its successor is used all does") {
  const Pair first = desk().quick(), second = refreshed(first.refresh);
  CHECK(refresh(first.refresh).what() == "401 invalid_grant");
  CHECK(lives(second));
  const Pair third = refreshed(second.refresh);
  CHECK(refresh(first.refresh).what() == "401 invalid_grant");
  for (const Pair& each : {first, second, third}) CHECK_FALSE(lives(each));
  CHECK(refresh(third.refresh).what() == "401 invalid_grant");
}

TEST_CASE("another client gets nothing for a refresh token: an unspent one is unharmed, a spent one ends its session") {
  const Pair pair = desk().quick();
  CHECK(refresh(pair.refresh, "&client_id=sample-app").what() == "401 invalid_grant");
  CHECK(lives(pair));
  const Pair next = refreshed(pair.refresh);
  CHECK(refresh(pair.refresh, "&client_id=sample-app").what() == "401 invalid_grant");
  CHECK_FALSE(lives(next));
}

TEST_CASE("asking for another scope is refused and spends nothing") {
  const Pair pair = desk().quick();
  CHECK(refresh(pair.refresh, by_quick + "&scope=session-type:Analyst").what() == "400 invalid_scope");
  CHECK(refresh(pair.refresh, by_quick + "&scope=session-type:User").status == 200);
}

TEST_CASE("a token that is cut, longer, of another kind or changed by a letter opens nothing") {
  const Pair pair = desk().quick();
  const auto changed = [](std::string token, std::size_t at) {
    token[at] = token[at] == 'A' ? 'B' : 'A';
    return token;
  };
  for (const std::string& token :
       {std::string(), std::string("cat_"), pair.access.substr(0, 46), pair.access.substr(4), pair.access + "A",
        pair.access + "=", pair.access + "%00", changed(pair.access, 4), changed(pair.access, 46),
        changed(pair.access, 0), "CAT_" + pair.access.substr(4), pair.refresh, pair.access + "," + pair.access,
        "\"" + pair.access + "\"", std::string(8000, 'A')}) {
    INFO(token.substr(0, 60));
    const Told told = desk().api(token, "GET", "");
    CHECK(told.status == 401);
    CHECK(told.headers.at("www-authenticate").starts_with("Bearer"));
    if (token.size() > 40) CHECK(told.raw.find(token.substr(0, 40)) == std::string::npos);
  }
  CHECK(lives(pair));
}

TEST_CASE("ten wrong passwords lock the account, with the same words as ever") {
  const std::string form = "grant_type=password&client_id=sample-app&username=user2&scope=session-type:User&password=";
  const Told wrong = desk().send("login", form + "wrong");
  for (int i = 1; i < 10; ++i) CHECK(desk().send("login", form + "wrong").raw == wrong.raw);
  const Told locked = desk().send("login", form + "callisto");
  CHECK(locked.status == 400);
  CHECK(locked.raw == wrong.raw);
}

TEST_CASE("an address that guesses too often is told when to come back, passwords and client secrets alike") {
  const TemporaryFolder folder;
  const ServerProcess server(folder.path(), {"--samples", "--set", "oauth.attempts_per_minute=2"});
  const std::string secret =
      "grant_type=client_credentials&scope=session-type:User&client_id=sample-service&client_secret=";
  CHECK(server.login(secret + "wrong").status == 401);
  CHECK(server.login("grant_type=password&client_id=sample-app&username=user&password=x&scope=session-type:User")
            .status == 400);
  for (const std::string& form :
       {secret + "wrong", secret + "sample-secret",
        std::string(
            "grant_type=password&client_id=sample-app&username=user&password=callisto&scope=session-type:User")}) {
    const Answer answer = server.login(form);
    INFO(answer.body);
    CHECK(answer.status == 429);
    CHECK(answer.body.starts_with("{\"error\":\"invalid_request\""));
    CHECK(std::stoi(answer.headers.at("retry-after")) >= 1);
    CHECK(std::stoi(answer.headers.at("retry-after")) <= 30);
  }
  // What needs no guess is not held up.
  CHECK(server.login("grant_type=refresh_token&client_id=sample-app&refresh_token=crt_x").status == 401);
}
