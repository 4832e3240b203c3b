// Logout (API rule 6.8), revocation (RFC 7009) and what a session leaves behind.
#include "tests/unit/auth/office.h"

using namespace callisto;
using namespace callisto::auth;

namespace {

// The status of a logout: 200 where nothing was refused.
int log_out(Office& office, const std::string& token, const std::string& access_token) {
  const auto answer = office.service().logout(form({{"token", token}}), access_token);
  REQUIRE(answer);
  if (!*answer) return 200;
  CHECK_FALSE((*answer)->error.empty());
  CHECK_FALSE((*answer)->description.empty());
  return (*answer)->status;
}

std::string revoke(Office& office, const Fields& fields) {
  const auto answer = office.service().revoke(form(fields));
  REQUIRE(answer);
  return *answer ? std::to_string((*answer)->status) + " " + (*answer)->error : "200";
}

const std::string made_up_access = "cat_" + std::string(43, 'A'), made_up_refresh = "crt_" + std::string(43, 'A');

}  // namespace

TEST_CASE("logout answers as the table says, first match wins") {
  Office office;
  const TokenPair mine = office.tokens(password_form("ada")), other = office.tokens(password_form("bob"));
  const TokenPair old = office.tokens(password_form("ada"));
  const TokenPair next = office.tokens(refresh_form(old.refresh_token));
  for (const std::string& malformed :
       {std::string(), std::string("x"), mine.access_token, mine.refresh_token + "A", mine.refresh_token.substr(1),
        std::string("crt_") + std::string(43, '='), std::string("crt_\0", 5), std::string(5000, 'A')}) {
    CHECK(log_out(office, malformed, mine.access_token) == 400);
    CHECK(log_out(office, malformed, "") == 400);  // before the bearer is looked at
  }
  for (const std::string& bearer : {std::string(), std::string("x"), made_up_access, mine.refresh_token}) {
    CHECK(log_out(office, mine.refresh_token, bearer) == 401);
    CHECK(log_out(office, made_up_refresh, bearer) == 401);  // before the token is looked up
  }
  CHECK(log_out(office, made_up_refresh, mine.access_token) == 400);
  CHECK(log_out(office, old.refresh_token, next.access_token) == 400);  // rotated
  CHECK(log_out(office, old.refresh_token, mine.access_token) == 400);  // before whose it is
  CHECK(log_out(office, other.refresh_token, mine.access_token) == 403);
  office.session(mine.access_token);
  CHECK(log_out(office, mine.refresh_token, mine.access_token) == 200);
  office.unauthenticated(mine.access_token);
  CHECK(log_out(office, mine.refresh_token, mine.access_token) == 404);
  CHECK(log_out(office, mine.refresh_token, other.access_token) == 403);  // before whether it is there
  CHECK(log_out(office, next.refresh_token, old.access_token) == 200);    // an earlier access token of the session
  CHECK(office.refusal(refresh_form(mine.refresh_token)).status == 401);
  CHECK(office.session(other.access_token)->person == 2);
}

TEST_CASE("a bearer past its ten minutes proves nothing, a refresh token past its day is unknown") {
  Options options;
  options.access_seconds = 100;
  options.refresh_seconds = 50;
  Office office(options);
  const TokenPair pair = office.tokens(password_form("ada")), removed = office.tokens(password_form("ada"));
  CHECK(log_out(office, removed.refresh_token, removed.access_token) == 200);
  office.clock.advance_ms(49'999);
  CHECK(log_out(office, removed.refresh_token, removed.access_token) == 404);
  office.clock.advance_ms(1);
  CHECK(log_out(office, removed.refresh_token, removed.access_token) == 400);
  CHECK(log_out(office, pair.refresh_token, pair.access_token) == 400);
  office.clock.advance_ms(50'000);
  CHECK(log_out(office, pair.refresh_token, pair.access_token) == 401);
}

TEST_CASE("logout reads only a clean form") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  LoginRequest twice = form({{"token", pair.refresh_token}});
  twice.repeated = "token";
  CHECK((*office.service().logout(twice, pair.access_token))->status == 400);
  CHECK((*office.service().logout(form({}), pair.access_token))->status == 400);
  office.session(pair.access_token);
}

TEST_CASE("RFC 7009: a client revokes its own tokens of either kind; what is no token of it any more is 200") {
  Office office;
  const auto pair = [&] { return office.tokens(password_form("ada")); };
  for (const bool by_access : {false, true}) {
    const TokenPair mine = pair();
    CHECK(revoke(office, {{"client_id", "app"}, {"token", by_access ? mine.access_token : mine.refresh_token}}) ==
          "200");
    office.unauthenticated(mine.access_token);
    CHECK(office.refusal(refresh_form(mine.refresh_token)).status == 401);
    CHECK(revoke(office, {{"client_id", "app"}, {"token", mine.refresh_token}}) == "200");
  }
  const TokenPair kept = pair();
  for (const std::string& unknown : {std::string("x"), made_up_access, made_up_refresh, std::string("cac_x")})
    CHECK(revoke(office, {{"client_id", "app"}, {"token", unknown}, {"token_type_hint", "nonsense"}}) == "200");
  CHECK(revoke(office, {{"client_id", "portal"}, {"token", kept.refresh_token}}) == "400 unauthorized_client");
  CHECK(revoke(office, {{"client_id", "nobody"}, {"token", kept.refresh_token}}) == "401 invalid_client");
  CHECK(revoke(office, {{"client_id", "service"}, {"token", kept.refresh_token}}) == "401 invalid_client");
  CHECK(revoke(office, {{"client_id", "service"}, {"client_secret", "wrong"}, {"token", "x"}}) == "401 invalid_client");
  CHECK(revoke(office, {{"client_id", "service"}, {"client_secret", "secret"}, {"token", "x"}}) == "200");
  CHECK(revoke(office, {{"token", kept.refresh_token}}) == "400 invalid_request");
  CHECK(revoke(office, {{"client_id", "app"}}) == "400 invalid_request");
  office.session(kept.access_token);
  // A spent token is none any more: revoking it does not hurt who holds its successor.
  const TokenPair next = office.tokens(refresh_form(kept.refresh_token));
  CHECK(revoke(office, {{"client_id", "app"}, {"token", kept.refresh_token}}) == "200");
  office.session(next.access_token);
}

TEST_CASE("traces of an ended session stay until its tokens would have expired and an hour more, then all of them go") {
  Office office;
  const auto rows = [&] {
    return office.number("SELECT COUNT(*) FROM \"session\"") + office.number("SELECT COUNT(*) FROM access_token") +
           office.number("SELECT COUNT(*) FROM refresh_token");
  };
  const TokenPair pair = office.tokens(password_form("ada"));
  CHECK(log_out(office, pair.refresh_token, pair.access_token) == 200);
  office.clock.advance_seconds(86400 + 3600 - 1);
  office.sweep();
  CHECK(rows() == 2);  // the access token's hour is over
  office.clock.advance_seconds(1);
  office.sweep();
  CHECK(rows() == 0);
  const TokenPair living = office.tokens(password_form("ada"));
  office.sweep();
  CHECK(rows() == 3);
  office.session(living.access_token);
}
