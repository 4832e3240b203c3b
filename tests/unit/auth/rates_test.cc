// Rates of what leaves rows behind: refreshing and signing in for itself.
#include "tests/unit/auth/office.h"

using namespace callisto;
using namespace callisto::auth;

namespace {

LoginRequest by_itself(const std::string& address) {
  LoginRequest request = form({{"grant_type", "client_credentials"},
                               {"client_id", "service"},
                               {"client_secret", "secret"},
                               {"scope", "session-type:User"}});
  request.remote_address = address;
  return request;
}

}  // namespace

TEST_CASE("a session is refreshed so often a minute, and no other session pays for it") {
  Options options;
  options.refreshes_per_minute = 3;
  Office office(options);
  TokenPair pair = office.tokens(password_form("ada"));
  for (int i = 0; i < 3; ++i) pair = office.tokens(refresh_form(pair.refresh_token));
  const OAuthError refused = office.refusal(refresh_form(pair.refresh_token));
  CHECK(refused.status == 429);
  CHECK(refused.retry_after_seconds == 20);
  office.session(pair.access_token);  // the session stays, and its token is not spent
  TokenPair other = office.tokens(password_form("ada"));
  office.tokens(refresh_form(other.refresh_token));
  office.clock.advance_seconds(20);
  office.tokens(refresh_form(pair.refresh_token));
}

TEST_CASE("a client signs in for itself so often a minute, from each address") {
  Options options;
  options.client_sign_ins_per_minute = 2;
  Office office(options);
  office.tokens(by_itself("192.0.2.1"));
  office.tokens(by_itself("192.0.2.1"));
  const std::int64_t sessions = office.number("SELECT COUNT(*) FROM \"session\"");
  const OAuthError refused = office.refusal(by_itself("192.0.2.1"));
  CHECK(refused.status == 429);
  CHECK(refused.retry_after_seconds == 30);
  CHECK(office.number("SELECT COUNT(*) FROM \"session\"") == sessions);
  CHECK(office.audit.events.back().reason.find("too many sign-ins") != std::string::npos);
  office.tokens(by_itself("192.0.2.2"));
  office.tokens(password_form("ada"));
}

TEST_CASE("rates that are not set follow the one of attempts, from sixty on; those that were met are counted") {
  Options options;
  options.attempts_per_minute = 0;
  Office unlimited(options);
  TokenPair pair = unlimited.tokens(password_form("ada"));
  for (int i = 0; i < 100; ++i) pair = unlimited.tokens(refresh_form(pair.refresh_token));
  options.attempts_per_minute = 2;
  Office office(options);
  pair = office.tokens(password_form("ada"));
  for (int i = 0; i < 60; ++i) pair = office.tokens(refresh_form(pair.refresh_token));
  for (int i = 0; i < 3; ++i) CHECK(office.refusal(refresh_form(pair.refresh_token)).status == 429);
  const std::vector<std::pair<std::string, std::uint64_t>> met{
      {"sign_in_attempts", 0}, {"refreshes", 3}, {"client_sign_ins", 0}};
  CHECK(office.service().rates_met() == met);
}
