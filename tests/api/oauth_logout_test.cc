// Every row of the logout table over HTTP (API rule 6.8), and RFC 7009.
#include "oauth_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const OAuthDesk& desk() {
  static const OAuthDesk one;
  return one;
}

const std::string letters(43, 'A');

}  // namespace

TEST_CASE("each answer of logout has its row of the table") {
  const Pair mine = desk().quick(), other = desk().quick(), old = desk().quick();
  const auto next = desk().sign_in("grant_type=refresh_token&refresh_token=" + old.refresh + by_quick);
  REQUIRE(next);
  struct Case {
    std::string form, authorization, what;
  };
  const std::string bearer = "Authorization: Bearer ";
  const std::vector<Case> refused{
      {"", bearer + mine.access, "400 invalid_request"},
      {"", "X-None: 1", "400 invalid_request"},
      {"token=", bearer + mine.access, "400 invalid_request"},
      {"token=x", "X-None: 1", "400 invalid_request"},
      {"token=" + mine.access, bearer + mine.access, "400 invalid_request"},
      {"token=" + mine.refresh + "A", bearer + mine.access, "400 invalid_request"},
      {"token=" + mine.refresh.substr(0, 46), bearer + mine.access, "400 invalid_request"},
      {"token=CRT_" + mine.refresh.substr(4), bearer + mine.access, "400 invalid_request"},
      {"token=" + mine.refresh + "%00", bearer + mine.access, "400 invalid_request"},
      {"token=" + mine.refresh + "&token=" + mine.refresh, bearer + mine.access, "400 invalid_request"},
      {"token=" + mine.refresh + "&Token=x", bearer + mine.access, "400 invalid_request"},
      {"refresh_token=" + mine.refresh, bearer + mine.access, "400 invalid_request"},
      {"token=" + mine.refresh, "X-None: 1", "401 invalid_token"},
      {"token=" + mine.refresh, "Authorization: Bearer", "401 invalid_token"},
      {"token=" + mine.refresh, bearer + "cat_" + letters, "401 invalid_token"},
      {"token=" + mine.refresh, bearer + mine.refresh, "401 invalid_token"},
      {"token=crt_" + letters, bearer + "cat_" + letters, "401 invalid_token"},
      {"token=crt_" + letters, bearer + mine.access, "400 invalid_grant"},
      {"token=" + old.refresh, bearer + old.access, "400 invalid_grant"},
      {"token=" + old.refresh, bearer + mine.access, "400 invalid_grant"},
      {"token=" + other.refresh, bearer + mine.access, "403 access_denied"},
  };
  for (const Case& each : refused) {
    INFO(each.form << " " << each.authorization);
    const Told told = desk().send("logout", each.form, {each.authorization});
    CHECK(told.what() == each.what);
    CHECK(told.headers.count("www-authenticate") == (told.status == 401 ? 1u : 0u));
  }
  for (const Pair& each : {mine, other, *next}) CHECK(desk().api(each.access, "GET", "").status == 200);

  const Told done = desk().log_out(mine.refresh, mine.access);
  CHECK(done.status == 200);
  CHECK(done.raw == "{}");
  CHECK(desk().api(mine.access, "GET", "").status == 401);  // the very next request
  CHECK(desk().log_out(mine.refresh, mine.access).what() == "404 invalid_grant");
  CHECK(desk().log_out(mine.refresh, other.access).what() == "403 access_denied");
  CHECK(desk().log_out(next->refresh, old.access).status == 200);
  CHECK(desk().send("LOGOUT", "Token=" + other.refresh, {"authorization: bearer " + other.access}).status == 200);
}

TEST_CASE("revocation asks the client to prove itself and tells nothing of unknown tokens") {
  const Pair pair = desk().quick(), other = desk().quick();
  const std::string token = "token=" + pair.refresh;
  CHECK(desk().send("revoke", token).what() == "400 invalid_request");
  CHECK(desk().send("revoke", by_quick.substr(1)).what() == "400 invalid_request");
  CHECK(desk().send("revoke", token + "&client_id=quick").what() == "401 invalid_client");
  CHECK(desk().send("revoke", token + "&client_id=sample-app").what() == "400 unauthorized_client");
  CHECK(desk().send("revoke", token, {"Authorization: Basic cXVpY2s6d3Jvbmc="}).headers.count("www-authenticate") == 1);
  CHECK(desk().api(pair.access, "GET", "").status == 200);
  CHECK(desk().send("revoke", token + by_quick + "&token_type_hint=refresh_token").raw == "{}");
  CHECK(desk().api(pair.access, "GET", "").status == 401);
  CHECK(desk().send("revoke", token + by_quick).status == 200);
  CHECK(desk().send("revoke", "token=crt_" + letters + by_quick).status == 200);
  CHECK(desk().send("revoke", "token=" + other.access, {"Authorization: Basic cXVpY2s6cXVpY2stc2VjcmV0"}).status ==
        200);
  CHECK(desk().api(other.access, "GET", "").status == 401);
}
