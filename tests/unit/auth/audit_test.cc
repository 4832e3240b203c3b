// What signing in leaves in the audit log: one event an attempt, with its reason, which no client is told.
#include "tests/unit/auth/office.h"

using namespace callisto;
using namespace callisto::auth;

namespace {

struct Case {
  std::string name;
  LoginRequest request;
  audit::Kind kind;
  std::optional<std::int64_t> person;
  std::string login, reason;
};

}  // namespace

TEST_CASE("every attempt to sign in is noted once, with its reason") {
  using audit::Kind;
  const std::string analyst = "session-type:Analyst";
  const std::vector<Case> cases{
      {"right", password_form("ada"), Kind::SignIn, 1, "", ""},
      {"wrong password", password_form("ada", {{"password", "wrong"}}), Kind::SignInRefused, 1, "", "wrong password"},
      {"unknown", password_form("no\r\nbody"), Kind::SignInRefused, {}, "no\r\nbody", "unknown login name"},
      {"no password", password_form("nopassword"), Kind::SignInRefused, 6, "", "wrong password"},
      {"deleted", password_form("deleted"), Kind::SignInRefused, {}, "deleted", "unknown login name"},
      {"inactive", password_form("gone"), Kind::SignInRefused, 3, "", "may not hold such a session"},
      {"no analyst", password_form("bob", {{"scope", analyst}}), Kind::SignInRefused, 2, "",
       "may not hold such a session"},
      {"unknown client",
       password_form("ada", {{"client_id", "nobody"}}),
       Kind::SignInRefused,
       {},
       "",
       "the client is unknown, not enabled, or did not prove who it is"},
      {"no secret",
       password_form("ada", {{"client_id", "service"}}),
       Kind::SignInRefused,
       {},
       "",
       "the client is unknown, not enabled, or did not prove who it is"},
  };
  for (const Case& each : cases) {
    INFO(each.name);
    Office office;
    office.login(each.request);
    REQUIRE(office.audit.events.size() == 1);
    const audit::Event& event = office.audit.events.front();
    CHECK(event.kind == each.kind);
    CHECK(event.person == each.person);
    CHECK(event.login == each.login);
    CHECK(event.reason == each.reason);
    CHECK(event.client == each.request.fields.at("client_id"));
    CHECK(event.address == "192.0.2.1");
    CHECK(event.session.has_value() == (each.kind == Kind::SignIn));
    CHECK(event.token.empty());
  }
}

TEST_CASE("a lock and a lack of licences are told apart from a wrong password") {
  Options options;
  options.licences = 1;
  Office office(options);
  office.tokens(password_form("ada"));
  office.refusal(password_form("bob"));
  CHECK(office.audit.events.back().reason == "no licence is free");
  for (int i = 0; i < 10; ++i) office.refusal(password_form("ada", {{"password", "wrong"}}));
  office.refusal(password_form("ada"));
  CHECK(office.audit.events.back().reason == "locked after wrong guesses");
  CHECK(office.audit.events.back().person == 1);
}

TEST_CASE("guesses at the current password that were hashed at once count one after the other, and are noted") {
  Office office;
  Secrets& secrets = office.service().secrets();
  const auto session = office.session(office.tokens(password_form("bob")).access_token);
  const auto is_right = [&](const Guess& guess) {
    bool right = false;
    office.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(right, secrets.judge(connection, *session, "person", 2, guess));
      return {};
    });
    return right;
  };
  const Guess wrong = *secrets.compare("person", 2, "wrong"), right = *secrets.compare("person", 2, "correct");
  CHECK(is_right(right));
  CHECK_FALSE(is_right(wrong));
  CHECK_FALSE(is_right(*secrets.compare("person", 99, "correct")));
  for (int i = 0; i < 10; ++i) REQUIRE(secrets.note_wrong_guess("person", 2, *session, "set-password"));
  CHECK_FALSE(is_right(right));
  CHECK_FALSE(is_right(*secrets.compare("person", 2, "correct")));
  const audit::Event& event = office.audit.events.back();
  CHECK(event.kind == audit::Kind::SignInRefused);
  CHECK(event.person == 2);
  CHECK(event.client == "app");
  CHECK(event.session == session->id);
  CHECK(event.action == "set-password");
  CHECK(event.reason == "wrong password");
  REQUIRE(secrets.note_wrong_guess("person", 2, *session, "set-password"));
  CHECK(office.audit.events.back().reason == "locked after wrong guesses");
  // A password that was set meanwhile is another one.
  office.write(
      [&](storage::Connection& connection) { return secrets.keep(connection, "person", 2, office.hash("new")); });
  CHECK_FALSE(is_right(right));
  CHECK(is_right(*secrets.compare("person", 2, "new")));
}

TEST_CASE("who has secrets hashed too often is told when to come back, and it is noted") {
  Options options;
  options.attempts_per_minute = 2;
  Office office(options);
  Secrets& secrets = office.service().secrets();
  const auto bob = office.session(office.tokens(password_form("bob")).access_token);
  const auto ada = office.session(office.tokens(password_form("ada")).access_token);
  Session service, administrator = *bob;
  service.client_id = "service";
  administrator.rights = {"Administration"};
  office.audit.events.clear();
  for (int i = 0; i < 2; ++i) CHECK(secrets.admit(*bob, "set-password"));
  const auto refused = secrets.admit(*bob, "set-password");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().status == 429);
  CHECK(refused.error().headers.front().second == "30");
  REQUIRE(office.audit.events.size() == 1);
  const audit::Event& event = office.audit.events.front();
  CHECK(event.kind == audit::Kind::SignInRefused);
  CHECK(event.person == 2);
  CHECK(event.session == bob->id);
  CHECK(event.action == "set-password");
  CHECK(event.reason == "too many attempts");
  CHECK(secrets.admit(*ada, "set-password"));
  CHECK(secrets.admit(service, "set-password"));
  for (int i = 0; i < 5; ++i) CHECK(secrets.admit(administrator, "set-password"));
  office.clock.advance_seconds(30);
  CHECK(secrets.admit(*bob, "set-password"));
}

TEST_CASE("a person who is vouched for and may not come in is noted, and so is a link with an identity") {
  Office office;
  Authorization authorization;
  authorization.client_id = "app";
  authorization.type = SessionType::Analyst;
  REQUIRE(office.service().issue_code(authorization, 1, "192.0.2.7"));
  CHECK(office.audit.events.empty());
  CHECK_FALSE(*office.service().issue_code(authorization, 2, "192.0.2.7"));
  REQUIRE(office.audit.events.size() == 1);
  const audit::Event refused = office.audit.events.front();
  CHECK(refused.kind == audit::Kind::SignInRefused);
  CHECK(refused.person == 2);
  CHECK(refused.client == "app");
  CHECK(refused.address == "192.0.2.7");
  CHECK(refused.reason == "may not hold such a session");

  const auto find = [&](const char* login) {
    return *office.service().find_person_by_identity("https://login.example", "s-1", login);
  };
  CHECK_FALSE(find("nobody"));
  CHECK(find("ada") == 1);
  CHECK(find("ada") == 1);
  REQUIRE(office.audit.events.size() == 2);
  const audit::Event linked = office.audit.events.back();
  CHECK(linked.kind == audit::Kind::PersonChanged);
  CHECK(linked.entity == "person");
  CHECK(linked.key == 1);
  CHECK(linked.action == "link-identity");
  CHECK(linked.reason == "linked with the subject s-1 of https://login.example");
}

TEST_CASE("an address that tries too often is noted as blocked") {
  Options options;
  options.attempts_per_minute = 1;
  Office office(options);
  office.tokens(password_form("ada"));
  CHECK(office.refusal(password_form("ada")).status == 429);
  REQUIRE(office.audit.events.size() == 2);
  CHECK(office.audit.events[1].kind == audit::Kind::AddressBlocked);
  CHECK(office.audit.events[1].address == "192.0.2.1");
}

TEST_CASE("a spent refresh token that comes back is noted with its session; usual refreshes are not") {
  Office office;
  const TokenPair first = office.tokens(password_form("ada"));
  const TokenPair second = office.tokens(refresh_form(first.refresh_token));
  office.tokens(refresh_form(second.refresh_token));
  REQUIRE(office.audit.events.size() == 1);
  office.clock.advance_seconds(60);
  office.refusal(refresh_form(first.refresh_token));
  REQUIRE(office.audit.events.size() == 2);
  const audit::Event& event = office.audit.events.back();
  CHECK(event.kind == audit::Kind::RefreshReuse);
  CHECK(event.person == 1);
  CHECK(event.session == office.audit.events.front().session);
  CHECK(event.token == first.refresh_token);  // the log keeps 8 digits of its digest
}
