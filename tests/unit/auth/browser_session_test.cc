// Sessions that a browser holds by a cookie: they buy access tokens until they end, and follow who holds them.
#include "tests/unit/auth/office.h"

using namespace callisto;
using namespace callisto::auth;

namespace {

const std::string key = "a-secret-of-the-browser";

void sign_in(Office& office, const std::string& browser_key = key) {
  Authorization asked;
  asked.client_id = "app";
  asked.redirect_uri = "http://127.0.0.1:8765/callback";
  asked.code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  const auto code = *office.service().issue_code(asked, 1, "192.0.2.1");
  REQUIRE(code);
  LoginRequest request = form({{"grant_type", "authorization_code"},
                               {"client_id", "app"},
                               {"code", *code},
                               {"code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}});
  request.browser_key = browser_key;
  office.tokens(request);
}

// Empty where there is none.
std::string token(Office& office, const std::string& browser_key = key) {
  const auto answer = office.service().renew_in_browser(browser_key);
  REQUIRE(answer);
  const auto* pair = std::get_if<TokenPair>(&*answer);
  if (!pair) return {};
  CHECK(pair->refresh_token.empty());
  CHECK(pair->expires_in <= 600);
  return pair->access_token;
}

}  // namespace

TEST_CASE("a browser's secret buys as many access tokens as its tabs ask for, of one session, over a restart too") {
  Office office;
  sign_in(office);
  const auto first = office.session(token(office)), second = office.session(token(office));
  CHECK(first->id == second->id);
  office.restart();
  CHECK(office.session(token(office))->id == first->id);
  CHECK(token(office, "another").empty());
  CHECK(token(office, "").empty());
}

TEST_CASE("it buys none once the session has ended, its time is over, or what it rests on is gone") {
  const char* endings[] = {"UPDATE \"person\" SET \"IsActive\" = 0", "UPDATE \"person\" SET \"IsUser\" = 0",
                           "UPDATE \"client\" SET \"IsEnabled\" = 0", "UPDATE \"session\" SET \"IsDeleted\" = 1"};
  for (const char* ending : endings) {
    INFO(ending);
    Office office;
    sign_in(office);
    CHECK_FALSE(token(office).empty());
    office.run(ending);
    office.service().forget_all();
    CHECK(token(office).empty());
  }
  Office office;
  sign_in(office);
  office.clock.advance_seconds(86401);
  CHECK(token(office).empty());
}

TEST_CASE("each token keeps the session for a day more, and none beyond its longest life") {
  Options options;
  options.session_seconds = 3 * 86400;
  Office office(options);
  sign_in(office);
  for (int day = 0; day < 3; ++day) {
    CHECK_FALSE(token(office).empty());
    office.clock.advance_seconds(86399);
  }
  office.clock.advance_seconds(10);
  CHECK(token(office).empty());
}

TEST_CASE("signing out ends the session and what was bought with it; what is long over is taken away") {
  Office office;
  sign_in(office);
  const std::string bought = token(office);
  REQUIRE(office.service().end_in_browser(key, "192.0.2.1"));
  CHECK(office.audit.events.back().kind == audit::Kind::Logout);
  office.unauthenticated(bought);
  CHECK(token(office).empty());
  const std::size_t noted = office.audit.events.size();
  REQUIRE(office.service().end_in_browser(key, "192.0.2.1"));
  CHECK(office.audit.events.size() == noted);
  CHECK(office.number("SELECT COUNT(*) FROM browser_session") == 1);
  office.clock.advance_seconds(2 * 86400);
  office.sweep();
  CHECK(office.number("SELECT COUNT(*) FROM browser_session") == 0);
}

TEST_CASE("the secret itself stands nowhere in the database") {
  Office office;
  sign_in(office);
  CHECK(office.number("SELECT COUNT(*) FROM browser_session WHERE hash = 'a-secret-of-the-browser'") == 0);
  CHECK(office.number("SELECT LENGTH(hash) FROM browser_session") == 43);
}
