// Which sessions a person may hold: IsUser is for User sessions what IsAnalyst is for Analyst ones, at every door.
#include "tests/unit/auth/office.h"

using namespace callisto;
using namespace callisto::auth;

namespace {

constexpr const char* takings[] = {"UPDATE \"person\" SET \"IsUser\" = 0", "UPDATE \"person\" SET \"IsUser\" = NULL"};

Authorization authorization() {
  Authorization asked;
  asked.client_id = "app";
  asked.redirect_uri = "http://127.0.0.1:8765/callback";
  asked.code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
  return asked;
}

LoginRequest code_form(const std::string& code) {
  return form({{"grant_type", "authorization_code"},
               {"client_id", "app"},
               {"code", code},
               {"code_verifier", "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"}});
}

}  // namespace

TEST_CASE("who is no user holds no User session: not by password, code, refresh, nor with a token of before") {
  for (const char* taken : takings) {
    INFO(taken);
    Office office;
    const TokenPair before = office.tokens(password_form("ada"));
    const TokenPair analyst = office.tokens(password_form("ada", {{"scope", "session-type:Analyst"}}));
    const auto code = *office.service().issue_code(authorization(), 1, "192.0.2.1");
    REQUIRE(code);
    office.run(taken);
    office.service().forget_all();
    CHECK(office.refusal(password_form("ada")).error == "invalid_grant");
    CHECK(office.audit.events.back().reason == "may not hold such a session");
    office.unauthenticated(before.access_token);
    CHECK(office.refusal(refresh_form(before.refresh_token)).status == 401);
    CHECK(office.refusal(code_form(*code)).error == "invalid_grant");
    CHECK(office.audit.events.back().reason == "may not hold such a session");
    CHECK_FALSE(*office.service().issue_code(authorization(), 1, "192.0.2.1"));
    const auto page = *office.service().check_password(authorization(), "ada", "correct", "192.0.2.1");
    CHECK(std::holds_alternative<OAuthError>(page));
    office.session(analyst.access_token);  // which does not rest on it
    office.tokens(password_form("ada", {{"scope", "session-type:Analyst"}}));
    office.run("UPDATE \"person\" SET \"IsUser\" = 1");
    office.tokens(password_form("ada"));
  }
}

TEST_CASE("a program that signs in for itself has no person to be a user") {
  Office office;
  office.run(takings[0]);
  office.tokens(form({{"grant_type", "client_credentials"},
                      {"client_id", "service"},
                      {"client_secret", "secret"},
                      {"scope", "session-type:User"}}));
}

TEST_CASE("why a code opens nothing stands in the audit log") {
  struct Case {
    const char* change;
    Fields fields;
    const char* reason;
  };
  const Case cases[] = {
      {"", {{"code", "cac_" + std::string(43, 'a')}}, "unknown"},
      {"", {{"code_verifier", std::string(43, 'a')}}, "code_verifier"},
      {"", {{"redirect_uri", "https://other.example/"}}, "redirect_uri"},
      {"UPDATE \"client\" SET \"RedirectUris\" = 'https://new.example/'", {}, "lost the redirect_uri"},
      {"UPDATE \"client\" SET \"SessionType\" = 'Analyst'", {}, "may not open such a session"},
      {"UPDATE authorization_code SET expires_at = 1", {}, "expired"},
      {"UPDATE licence_pool SET capacity = 1, in_use = 1", {}, "no licence is free"}};
  for (const Case& each : cases) {
    INFO(each.reason);
    Office office;
    const auto code = *office.service().issue_code(authorization(), 2, "192.0.2.1");
    if (*each.change) office.run(each.change);
    LoginRequest request = code_form(*code);
    for (const auto& [name, value] : each.fields) request.fields[name] = value;
    CHECK(office.refusal(request).error == "invalid_grant");
    CHECK(office.audit.events.back().kind == audit::Kind::SignInRefused);
    CHECK(office.audit.events.back().reason.find(each.reason) != std::string::npos);
  }
}

TEST_CASE("a first link by login name is not made to a person with Administration; an administrator's own counts") {
  Office office;
  office.write([&](storage::Connection& connection) -> Result<void> {
    const storage::Stamp stamp{office.clock.now(), office.random};
    CALLISTO_TRY(const std::int64_t role, put_role(connection, {"Chief", {"*:Read", "Administration"}, {}}, stamp));
    return assign_role(connection, 1, role, stamp);
  });
  const auto find = [&](const char* subject, const char* login) {
    return office.service().find_person_by_identity("https://login.example", subject, login);
  };
  const auto refused = find("s-evil", " Ada");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().status == 403);
  CHECK(refused.error().log_detail.find("identity-link") != std::string::npos);
  CHECK(refused.error().message.find("s-evil") == std::string::npos);
  CHECK(office.number("SELECT COUNT(*) FROM \"identity_link\"") == 0);
  office.run(
      "INSERT INTO \"identity_link\" (\"Ref\", \"Person\", \"Issuer\", \"Subject\", \"IsDeleted\") "
      "VALUES (100, 1, 'https://login.example', 's-1', 0)");
  CHECK(*find("s-1", "whatever") == 1);
  CHECK_FALSE(*find("S-1", "ada"));  // ada is linked already
  CHECK(*find("s-2", "bob") == 2);
  office.run("UPDATE \"identity_link\" SET \"IsDeleted\" = 1");
  CHECK_FALSE(find("s-1", "ada"));
}

TEST_CASE("links that an earlier version kept become records at the start") {
  Office office;
  office.run(
      "INSERT INTO identity_link_before (issuer, subject, person, linked_at) VALUES "
      "('https://login.example', 's-1', 1, 1700000000000), ('https://login.example', 's-2', 2, 1700000000001)");
  office.restart();
  CHECK(office.number("SELECT COUNT(*) FROM identity_link_before") == 0);
  CHECK(office.number("SELECT COUNT(*) FROM \"identity_link\" WHERE length(\"Id\") = 36 AND \"IsDeleted\" = 0") == 2);
  CHECK(*office.service().find_person_by_identity("https://login.example", "s-2", "") == 2);
  office.restart();
  CHECK(office.number("SELECT COUNT(*) FROM \"identity_link\"") == 2);
}
