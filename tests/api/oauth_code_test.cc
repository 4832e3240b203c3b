// Exchanging authorization codes over HTTP (RFC 6749 4.1.3, RFC 7636; API rule 6.5). The codes are put into the
// database as the sign-in page would.
#include "engine/auth/grants/code_store.h"
#include "engine/storage/database.h"
#include "oauth_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string redirect = "http://127.0.0.1:8765/callback";
const std::string verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";  // RFC 7636 appendix B
const std::string form = "grant_type=authorization_code&client_id=sample-app&redirect_uri=" + redirect +
                         "&code_verifier=" + verifier + "&code=";

// Codes of person 4 for sample-app, put in while no server has the desk open.
std::vector<std::string> issue(OAuthDesk& desk, int count, std::int64_t lifetime_ms) {
  desk.server().stop();
  std::vector<std::string> codes;
  auto database = storage::Database::open({.url = database_url(desk.folder())});
  REQUIRE(database);
  SystemRandom random;
  const auto done = (*database)->write([&](storage::Connection& connection) -> Result<void> {
    for (int i = 0; i < count; ++i) {
      codes.push_back(auth::make_token(auth::TokenKind::Code, random));
      auth::StoredCode code;
      code.hash = auth::stored(auth::digest_of(codes.back()));
      code.client = 1;
      code.person = 4;
      code.redirect_uri = redirect;
      code.redirect_uri_given = true;
      code.code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
      code.address = "192.0.2.4";
      code.expires.ms = SystemClock().now().ms + lifetime_ms;
      CALLISTO_CHECK(auth::store_code(connection, code));
    }
    return {};
  });
  REQUIRE(done);
  database->reset();
  desk.start();
  return codes;
}

}  // namespace

TEST_CASE("a code is worth one session; used again it is worth none, and the session is over") {
  OAuthDesk desk;
  const auto codes = issue(desk, 2, 3'600'000);
  const Told told = desk.send("login", form + codes[0]);
  REQUIRE(told.status == 200);
  CHECK(told["token_type"] == "Bearer");
  CHECK(told["scope"] == "session-type:User");
  CHECK(told["expires_in"] == "600");
  const std::string access = told["access_token"];
  CHECK(desk.api(access, "GET", "person/4?$select=IsLoggedIn").raw.find("\"IsLoggedIn\":true") != std::string::npos);
  const std::string refresh = "grant_type=refresh_token&client_id=sample-app&refresh_token=";
  const Told refreshed = desk.send("login", refresh + told["refresh_token"]);
  CHECK(refreshed.status == 200);
  CHECK(desk.send("login", form + codes[0]).what() == "400 invalid_grant");
  CHECK(desk.api(access, "GET", "").status == 401);
  CHECK(desk.send("login", refresh + refreshed["refresh_token"]).what() == "401 invalid_grant");
  CHECK(desk.number("SELECT in_use FROM licence_pool") == 0);

  const std::string second = "&code=" + codes[1];
  const std::string start = "grant_type=authorization_code&client_id=sample-app";
  const std::string right = "&redirect_uri=" + redirect, proof = "&code_verifier=" + verifier;
  for (const auto& [sent, what] : std::map<std::string, std::string>{
           {start + second + right, "400 invalid_request"},
           {start + second + right + "&code_verifier=", "400 invalid_request"},
           {start + second + right + "&code_verifier=" + std::string(43, 'a'), "400 invalid_grant"},
           {start + second + right + proof + proof, "400 invalid_request"},
           {start + second + proof, "400 invalid_grant"},
           {start + second + proof + "&redirect_uri=http://127.0.0.1:8766/callback", "400 invalid_grant"},
           {start + second + proof + "&redirect_uri=" + redirect + "%00", "400 invalid_request"},
           {start + right + proof + "&code=CAC_" + codes[1].substr(4), "400 invalid_grant"},
           {start + right + proof + second.substr(0, second.size() - 1), "400 invalid_grant"},
           {start + right + proof + second + "&scope=session-type:Analyst", "400 invalid_scope"}}) {
    INFO(sent);
    CHECK(desk.send("login", sent).what() == what);
  }
  CHECK(desk.send("login", form + codes[1]).status == 200);
}

TEST_CASE("a code past its time is worth nothing") {
  OAuthDesk desk;
  const auto codes = issue(desk, 1, 0);
  CHECK(desk.send("login", form + codes[0]).what() == "400 invalid_grant");
  CHECK(desk.number("SELECT COUNT(*) FROM \"session\"") == 0);
}
