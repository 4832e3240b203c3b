// What somebody or something may no longer do ends the sessions that rest on it, with the answer to the change.
#include "engine/auth/grants/code_store.h"
#include "engine/storage/database.h"
#include "oauth_desk.h"

#include <catch2/catch.hpp>

namespace {

using namespace callisto;
using namespace callisto::tests;

const std::string redirect = "http://127.0.0.1:8765/callback";
const std::string exchange = "grant_type=authorization_code&client_id=sample-app&redirect_uri=" + redirect +
                             "&code_verifier=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&code=";

// Codes for sample-app, put in while no server has the desk open.
std::vector<std::string> issue(OAuthDesk& desk, std::int64_t person, int count) {
  desk.server().stop();
  std::vector<std::string> codes;
  {
    auto database = storage::Database::open({.url = database_url(desk.folder())});
    REQUIRE(database);
    SystemRandom random;
    REQUIRE((*database)->write([&](storage::Connection& connection) -> Result<void> {
      for (int i = 0; i < count; ++i) {
        codes.push_back(auth::make_token(auth::TokenKind::Code, random));
        auth::StoredCode code;
        code.hash = auth::stored(auth::digest_of(codes.back()));
        code.client = 1;
        code.person = person;
        code.redirect_uri = redirect;
        code.redirect_uri_given = true;
        code.code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";
        code.address = "192.0.2.4";
        code.expires.ms = SystemClock().now().ms + 60'000;
        CALLISTO_CHECK(auth::store_code(connection, code));
      }
      return {};
    }));
  }
  desk.start();
  return codes;
}

int status(const OAuthDesk& desk, const Pair& pair) { return desk.api(pair.access, "GET", "").status; }

void change(const OAuthDesk& desk, const Pair& admin, const std::string& path, std::string_view body) {
  const Told told = desk.api(admin.access, "PUT", path, body);
  INFO(path << " " << body << " " << told.raw);
  REQUIRE(told.status == 200);
}

void check_counts(const OAuthDesk& desk) {
  CHECK(desk.number("SELECT in_use FROM licence_pool") ==
        desk.number("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0"));
  CHECK(desk.number("SELECT COUNT(*) FROM \"person\" p WHERE \"IsLoggedIn\" <> CASE WHEN EXISTS (SELECT 1 FROM "
                    "\"session\" s WHERE s.\"Person\" = p.\"Ref\" AND s.\"IsDeleted\" = 0) THEN 1 ELSE 0 END") == 0);
}

std::int64_t living_of(const OAuthDesk& desk, const std::string& login) {
  return login == "user" ? desk.number("SELECT COUNT(*) FROM \"session\" WHERE \"Person\" = 4 AND \"IsDeleted\" = 0")
                         : desk.number("SELECT COUNT(*) FROM \"session\" WHERE \"Person\" = 2 AND \"IsDeleted\" = 0");
}

}  // namespace

TEST_CASE("IsUser and IsAnalyst: taken away, the sessions of that type end; the other type stays") {
  const OAuthDesk desk;
  const Pair admin = desk.pair("admin", "session-type:Analyst");
  const Pair as_user = desk.pair("analyst"), as_analyst = desk.pair("analyst", "session-type:Analyst");
  change(desk, admin, "person/2", R"({"IsUser": false})");
  CHECK(status(desk, as_user) == 401);
  CHECK(status(desk, as_analyst) == 200);
  CHECK(living_of(desk, "analyst") == 1);
  CHECK(desk.sign_in(
            "grant_type=password&client_id=sample-app&username=analyst&password=callisto&scope=session-type:User") ==
        std::nullopt);
  change(desk, admin, "person/2", R"({"IsUser": true})");
  CHECK(status(desk, as_user) == 401);  // what ended stays so
  const Pair again = desk.pair("analyst");
  change(desk, admin, "person/2", R"({"IsAnalyst": false})");
  CHECK(status(desk, as_analyst) == 401);
  CHECK(status(desk, again) == 200);
  change(desk, admin, "person/2", R"({"Department": "Elsewhere"})");
  CHECK(status(desk, again) == 200);
  change(desk, admin, "person/2", R"({"IsUser": null})");
  CHECK(status(desk, again) == 401);
  CHECK(living_of(desk, "analyst") == 0);
  check_counts(desk);
}

TEST_CASE("what a client may not open any more ends with the change, and nothing else does") {
  struct Case {
    const char* body;
    bool user, analyst, renewed;  // which sessions stay
  };
  for (const Case& each :
       {Case{R"({"SessionType": "User"})", true, false, true},
        Case{R"({"SessionType": "Analyst"})", false, true, false},
        Case{R"({"Grants": "authorization_code refresh_token"})", false, false, false},
        Case{R"({"Grants": "password authorization_code"})", true, true, false},
        Case{R"({"Grants": "password  refresh_token"})", true, true, true},
        Case{R"({"Grants": null})", false, false, false}, Case{R"({"IsEnabled": false})", false, false, false},
        Case{R"({"IsEnabled": null})", false, false, false},
        Case{R"({"Name": "Renamed", "Description": "x"})", true, true, true}}) {
    INFO(each.body);
    const OAuthDesk desk;
    const auto admin = desk.sign_in(
        "grant_type=password&client_id=sample-service&client_secret=sample-secret&username=admin"
        "&password=callisto&scope=session-type:Analyst");
    REQUIRE(admin);
    const Pair user = desk.pair("user"), analyst = desk.pair("analyst", "session-type:Analyst");
    const Pair first = desk.pair("user2"), program = desk.quick();
    const auto renewed = desk.sign_in("grant_type=refresh_token&client_id=sample-app&refresh_token=" + first.refresh);
    REQUIRE(renewed);
    change(desk, *admin, "client/1", each.body);
    CHECK((status(desk, user) == 200) == each.user);
    CHECK((status(desk, analyst) == 200) == each.analyst);
    CHECK((status(desk, *renewed) == 200) == each.renewed);
    CHECK(status(desk, program) == 200);
    CHECK(status(desk, *admin) == 200);
    check_counts(desk);
  }
}

TEST_CASE(
    "a client's new secret ends the sessions that were opened with the old one; so does losing client_credentials") {
  const OAuthDesk desk;
  const Pair admin = desk.pair("admin", "session-type:Analyst");
  Pair program = desk.quick();
  change(desk, admin, "client/4/set-secret", R"({"Secret": "quick-secret-2"})");
  CHECK(status(desk, program) == 401);
  CHECK(desk.sign_in("grant_type=refresh_token&client_id=quick&client_secret=quick-secret-2&refresh_token=" +
                     program.refresh) == std::nullopt);
  change(desk, admin, "client/4/set-secret", R"({"Secret": "quick-secret"})");
  program = desk.quick();
  change(desk, admin, "client/4", R"({"Grants": "password refresh_token"})");
  CHECK(status(desk, program) == 401);
  CHECK(status(desk, admin) == 200);
  check_counts(desk);
}

TEST_CASE("sessions that came by a code end with the grant, the redirect URI or the link that they came by") {
  for (const char* body : {R"({"Grants": "password refresh_token"})",
                           R"({"RedirectUris": "https://elsewhere.example/"})", R"({"RedirectUris": null})"}) {
    INFO(body);
    OAuthDesk desk;
    const auto codes = issue(desk, 4, 2);
    const Pair admin = desk.pair("admin", "session-type:Analyst"), by_password = desk.pair("user");
    const auto by_code = desk.sign_in(exchange + codes[0]);
    REQUIRE(by_code);
    change(desk, admin, "client/1", R"({"RedirectUris": "http://127.0.0.1:1/callback https://more.example/"})");
    CHECK(status(desk, *by_code) == 200);  // the same but for the port of a loopback address
    change(desk, admin, "client/1", body);
    CHECK(status(desk, *by_code) == 401);
    CHECK(status(desk, by_password) == 200);
    CHECK(desk.send("login", exchange + codes[1]).status == 400);
    check_counts(desk);
  }
}

TEST_CASE("a code that nobody has used ends with a new password, and with what its person may not be any more") {
  for (const auto& [path, body] :
       std::vector<std::pair<std::string, std::string>>{{"person/4/set-password", R"({"Password": "another one"})"},
                                                        {"person/4", R"({"IsUser": false})"},
                                                        {"person/4/deactivate", "{}"},
                                                        {"client/1/set-secret", R"({"Secret": "a first secret"})"}}) {
    INFO(path);
    OAuthDesk desk;
    const auto codes = issue(desk, 4, 2);
    const auto admin = desk.sign_in(
        "grant_type=password&client_id=sample-service&client_secret=sample-secret&username=admin"
        "&password=callisto&scope=session-type:Analyst");
    REQUIRE(admin);
    CHECK(desk.send("login", exchange + codes[0]).status == 200);
    change(desk, *admin, path, body);
    if (path == "person/4") change(desk, *admin, path, R"({"IsUser": true})");
    if (path == "person/4/deactivate") change(desk, *admin, "person/4/activate", "{}");
    const std::string secret = path.starts_with("client") ? "&client_secret=a%20first%20secret" : "";
    CHECK(desk.send("login", exchange + codes[1] + secret).what() == "400 invalid_grant");
    check_counts(desk);
  }
}

TEST_CASE("administrators make and delete identity-links; a deleted one ends the sessions that came by codes") {
  OAuthDesk desk;
  const auto codes = issue(desk, 4, 2);
  const Pair admin = desk.pair("admin", "session-type:Analyst"), by_password = desk.pair("user");
  const Pair analyst = desk.pair("analyst", "session-type:Analyst");
  const std::string link = R"({"Person": 4, "Issuer": "https://login.example", "Subject": "s-4"})";
  CHECK(desk.api(analyst.access, "POST", "identity-link", link).status == 403);
  CHECK(desk.api(analyst.access, "GET", "identity-link").status == 403);
  const Told made = desk.api(admin.access, "POST", "identity-link", link);
  REQUIRE(made.status == 200);
  CHECK(desk.api(admin.access, "POST", "identity-link", link).status == 400);
  CHECK(desk.api(admin.access, "PUT", "identity-link/" + made["Ref"], R"({"Person": 1})").status == 405);
  const auto by_code = desk.sign_in(exchange + codes[0]);
  REQUIRE(by_code);
  CHECK(desk.api(admin.access, "DELETE", "identity-link/" + made["Ref"]).status == 200);
  CHECK(status(desk, *by_code) == 401);
  CHECK(status(desk, by_password) == 200);
  CHECK(desk.send("login", exchange + codes[1]).what() == "400 invalid_grant");
  CHECK(desk.api(admin.access, "POST", "identity-link", link).status == 200);
  check_counts(desk);
}

TEST_CASE("one end user does not take all licences, and an administrator comes in though all are taken") {
  const OAuthDesk desk({"--set", "licences=5"});
  std::vector<Pair> users;
  for (int i = 0; i < 6; ++i) users.push_back(desk.pair("user"));
  CHECK(living_of(desk, "user") == 3);
  CHECK(status(desk, users.front()) == 401);
  CHECK(status(desk, users.back()) == 200);
  desk.quick();
  desk.quick();
  CHECK(desk.sign_in("grant_type=client_credentials&scope=session-type:User" + by_quick) == std::nullopt);
  const Pair admin = desk.pair("admin", "session-type:Analyst");
  CHECK(desk.number("SELECT in_use FROM licence_pool") == 6);
  const Told listed = desk.api(admin.access, "GET", "session?$filter=Person.LoginId%20==%20%22USER%22&$select=Ref");
  for (const json::Node& row : listed.body.find("results")->items())
    CHECK(desk.api(admin.access, "DELETE", "session/" + row.find("Ref")->text()).status == 200);
  check_counts(desk);
  desk.quick();
}
