#include "tests/unit/auth/office.h"

#include <atomic>
#include <latch>
#include <string>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::auth;

namespace {

void check_refused(const OAuthError& error) {
  CHECK(error.status == 401);
  CHECK(error.error == "invalid_grant");
}

}  // namespace

TEST_CASE("a refresh token gives a new pair, works once, and the earlier access token lives out its time") {
  Office office;
  const TokenPair first = office.tokens(password_form("ada", {{"scope", "session-type:Analyst"}}));
  office.clock.advance_seconds(300);
  const TokenPair second = office.tokens(refresh_form(first.refresh_token));
  CHECK(second.scope == "session-type:Analyst");
  CHECK(second.refresh_token != first.refresh_token);
  CHECK(office.session(first.access_token)->id == office.session(second.access_token)->id);
  check_refused(office.refusal(refresh_form(first.refresh_token)));
  office.clock.advance_seconds(300);
  office.unauthenticated(first.access_token);
  office.session(second.access_token);
}

TEST_CASE("each refresh extends the session by 24 hours") {
  Office office;
  TokenPair pair = office.tokens(password_form("ada"));
  for (int i = 0; i < 3; ++i) {
    office.clock.advance_seconds(86399);
    pair = office.tokens(refresh_form(pair.refresh_token));
  }
  office.clock.advance_seconds(86400);
  check_refused(office.refusal(refresh_form(pair.refresh_token)));
}

TEST_CASE("however often it is refreshed, a session ends after 30 days, and people sign in again") {
  Office office;
  TokenPair pair = office.tokens(password_form("ada"));
  for (int day = 1; day <= 29; ++day) {
    office.clock.advance_seconds(86400 - 1);
    pair = office.tokens(refresh_form(pair.refresh_token));
  }
  office.clock.advance_seconds(86400 - 1);
  pair = office.tokens(refresh_form(pair.refresh_token));  // 30 s before the end
  office.clock.advance_seconds(29);
  office.session(pair.access_token);
  office.clock.advance_seconds(1);
  office.unauthenticated(pair.access_token);
  check_refused(office.refusal(refresh_form(pair.refresh_token)));
}

TEST_CASE("a session never lasts beyond its longest time, and no answer promises more than is left") {
  Options options;
  options.session_seconds = 1000;
  Office office(options);
  const TokenPair first = office.tokens(password_form("ada"));
  CHECK(first.expires_in == 600);
  CHECK(office.number("SELECT \"ExpiresDate\" - \"CreatedDate\" FROM \"session\"") == 1'000'000);
  office.clock.advance_seconds(700);
  const TokenPair second = office.tokens(refresh_form(first.refresh_token));
  CHECK(second.expires_in == 300);
  office.clock.advance_seconds(299);
  office.session(second.access_token);
  office.clock.advance_seconds(1);
  office.unauthenticated(second.access_token);
  check_refused(office.refusal(refresh_form(second.refresh_token)));
  CHECK(office.number("SELECT MAX(expires_at) FROM refresh_token") == office.clock.now().ms);
  for (const char* grant : {"client_credentials", "password"}) {
    office.options.session_seconds = 60;
    office.restart();
    CHECK(office
              .tokens(
                  password_form("ada", {{"grant_type", grant}, {"client_id", "service"}, {"client_secret", "secret"}}))
              .expires_in == 60);
  }
}

TEST_CASE("a session that is older than may be by now cannot be refreshed") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  office.clock.advance_seconds(3600);
  office.options.session_seconds = 3600;
  office.restart();
  check_refused(office.refusal(refresh_form(pair.refresh_token)));
}

TEST_CASE("tokens outlive a restart") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  office.restart();
  CHECK(office.session(pair.access_token)->person == 1);
  office.tokens(refresh_form(pair.refresh_token));
}

TEST_CASE("unknown and misshapen refresh tokens are refused with 401") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  for (const std::string& token : {std::string("x"), pair.access_token, pair.refresh_token + "A",
                                   "crt_" + std::string(43, 'A'), std::string("' OR 1=1 --")})
    check_refused(office.refusal(refresh_form(token)));
  office.tokens(refresh_form(pair.refresh_token));
}

TEST_CASE("a spent token within ten seconds is a lost answer: refused, and the session stays") {
  Office office;
  const TokenPair first = office.tokens(password_form("ada"));
  const TokenPair second = office.tokens(refresh_form(first.refresh_token));
  office.clock.advance_seconds(10);
  check_refused(office.refusal(refresh_form(first.refresh_token)));
  office.session(second.access_token);
  office.tokens(refresh_form(second.refresh_token));
}

TEST_CASE("a spent token after ten seconds is theft: the whole session is dead at once") {
  Office office;
  const TokenPair first = office.tokens(password_form("ada"));
  const TokenPair second = office.tokens(refresh_form(first.refresh_token));
  office.session(second.access_token);  // known to memory
  office.clock.advance_ms(10'001);
  office.session(second.access_token);
  check_refused(office.refusal(refresh_form(first.refresh_token)));
  office.unauthenticated(second.access_token);
  office.unauthenticated(first.access_token);
  check_refused(office.refusal(refresh_form(second.refresh_token)));
}

TEST_CASE("a spent token whose successor was used, or from another client, is theft within ten seconds too") {
  Office office;
  const TokenPair first = office.tokens(password_form("ada"));
  const TokenPair second = office.tokens(refresh_form(first.refresh_token));
  const TokenPair third = office.tokens(refresh_form(second.refresh_token));
  check_refused(office.refusal(refresh_form(first.refresh_token)));
  office.unauthenticated(third.access_token);

  const TokenPair other = office.tokens(password_form("ada"));
  const TokenPair next = office.tokens(refresh_form(other.refresh_token));
  check_refused(office.refusal(refresh_form(other.refresh_token, {{"client_id", "renewer"}})));
  office.unauthenticated(next.access_token);
}

TEST_CASE("an unspent token presented by another client is refused, its session unharmed") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  check_refused(office.refusal(refresh_form(pair.refresh_token, {{"client_id", "renewer"}})));
  office.session(pair.access_token);
  office.tokens(refresh_form(pair.refresh_token));
}

TEST_CASE("a refresh keeps the scope of its session and is not spent by asking for another") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  const OAuthError error = office.refusal(refresh_form(pair.refresh_token, {{"scope", "session-type:Analyst"}}));
  CHECK(error.status == 400);
  CHECK(error.error == "invalid_scope");
  office.tokens(refresh_form(pair.refresh_token, {{"scope", "session-type:User"}}));
}

TEST_CASE("whoever was made inactive, or no analyst any more, cannot refresh") {
  Office office;
  const TokenPair user = office.tokens(password_form("bob"));
  const TokenPair analyst = office.tokens(password_form("ada", {{"scope", "session-type:Analyst"}}));
  office.run(
      "UPDATE \"person\" SET \"IsActive\" = 0 WHERE \"Ref\" = 2; "
      "UPDATE \"person\" SET \"IsAnalyst\" = 0 WHERE \"Ref\" = 1");
  check_refused(office.refusal(refresh_form(user.refresh_token)));
  check_refused(office.refusal(refresh_form(analyst.refresh_token)));
}

TEST_CASE("of a thousand concurrent refreshes of one token exactly one succeeds, twenty times") {
  constexpr int threads = 40, each = 25;
  Office office;
  for (int run = 0; run < 20; ++run) {
    const TokenPair pair = office.tokens(password_form("ada"));
    std::atomic<int> succeeded = 0, refused = 0;
    std::latch start(threads);
    std::vector<std::thread> crowd;
    for (int i = 0; i < threads; ++i)
      crowd.emplace_back([&] {
        start.arrive_and_wait();
        for (int j = 0; j < each; ++j) {
          const LoginAnswer answer = office.login(refresh_form(pair.refresh_token));
          const auto* error = std::get_if<OAuthError>(&answer);
          if (!error) ++succeeded;
          else if (error->status == 401) ++refused;
        }
      });
    for (std::thread& thread : crowd) thread.join();
    CHECK(succeeded == 1);
    CHECK(refused == threads * each - 1);
    CHECK(office.number("SELECT COUNT(*) FROM refresh_token") == 2 * (run + 1));
    CHECK(office.number("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0") == run + 1);
  }
}
