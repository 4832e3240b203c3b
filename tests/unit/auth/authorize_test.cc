// Authorization codes: what a browser's request must say (RFC 6749 4.1, RFC 7636, RFC 8252), and what a code is worth.
#include "engine/auth/clients/redirect_uri.h"
#include "engine/auth/token.h"
#include "tests/unit/auth/office.h"

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

using namespace callisto;
using namespace callisto::auth;

namespace {

const std::string callback = "http://127.0.0.1:8765/callback";
const std::string verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";  // RFC 7636 appendix B
const std::string challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

// A good request of the public client, with `changes` over it; an empty value takes the parameter away.
AuthorizationParameters asked(const Fields& changes = {}) {
  AuthorizationParameters parameters{{"client_id", "app"},
                                     {"response_type", "code"},
                                     {"redirect_uri", callback},
                                     {"scope", "session-type:User"},
                                     {"state", "xyz"},
                                     {"code_challenge", challenge},
                                     {"code_challenge_method", "S256"}};
  for (const auto& [name, value] : changes) parameters[name] = value;
  return parameters;
}

std::string text_of(const Fields& fields) {
  std::string text;
  for (const auto& [name, value] : fields) text += name + "=" + value.substr(0, 80) + " ";
  return text;
}

AuthorizationAnswer answer(Office& office, const Fields& changes) {
  auto result = office.service().check_authorization(asked(changes));
  REQUIRE(result);
  return *std::move(result);
}

Authorization accepted(Office& office, const Fields& changes = {}) {
  const AuthorizationAnswer result = answer(office, changes);
  if (const auto* refusal = std::get_if<AuthorizationRefusal>(&result)) FAIL(refusal->error + refusal->description);
  return std::get<Authorization>(result);
}

std::string code_for(Office& office, std::int64_t person, const Fields& changes = {}) {
  const auto code = office.service().issue_code(accepted(office, changes), person, "192.0.2.7");
  REQUIRE(code);
  REQUIRE(*code);
  return **code;
}

LoginRequest code_form(const std::string& code, const Fields& changes = {}) {
  Fields fields{{"grant_type", "authorization_code"},
                {"client_id", "app"},
                {"code", code},
                {"redirect_uri", callback},
                {"code_verifier", verifier}};
  for (const auto& [name, value] : changes) fields[name] = value;
  return form(fields);
}

const Fields by_service{{"client_id", "service"},
                        {"redirect_uri", "https://service.example.com/back"},
                        {"code_challenge", ""},
                        {"code_challenge_method", ""}};

}  // namespace

TEST_CASE("a good request for a code is understood") {
  Office office;
  const Authorization good = accepted(office);
  CHECK(good.client_id == "app");
  CHECK(good.client_name == "app");
  CHECK(good.redirect_uri == callback);
  CHECK(good.redirect_uri_given);
  CHECK(good.type == SessionType::User);
  CHECK(good.state == "xyz");
  CHECK(good.code_challenge == challenge);
  const Authorization sparse = accepted(office, {{"redirect_uri", ""}, {"state", ""}, {"unknown", "ignored"}});
  CHECK(sparse.redirect_uri == callback);
  CHECK_FALSE(sparse.redirect_uri_given);
  CHECK(sparse.state.empty());
  CHECK(accepted(office, by_service).code_challenge.empty());
  CHECK(accepted(office, {{"client_id", "portal"}, {"scope", ""}}).type == SessionType::User);
}

TEST_CASE("a bad client or redirect is never told to a redirect, every other problem is, with its RFC 6749 error") {
  struct Case {
    Fields changes;
    std::string error;  // "page": no redirect
  };
  const std::string page = "page";
  const std::vector<Case> cases{
      {{{"client_id", ""}}, page},
      {{{"client_id", "nobody"}}, page},
      {{{"client_id", "disabled"}}, page},
      {{{"client_id", "APP"}}, page},
      {{{"client_id", std::string("app\0", 4)}}, page},
      {{{"client_id", std::string(5000, 'a')}}, page},
      {{{"client_id", "renewer"}, {"redirect_uri", ""}}, page},  // has none
      {{{"client_id", "service"}, {"redirect_uri", ""}}, page},  // has two
      {{{"redirect_uri", "http://127.0.0.1:8765/callback/"}}, page},
      {{{"redirect_uri", "http://127.0.0.1:8765/callback?x=1"}}, page},
      {{{"redirect_uri", "http://127.0.0.1:8765/callback#x"}}, page},
      {{{"redirect_uri", "HTTP://127.0.0.1:8765/callback"}}, page},
      {{{"redirect_uri", "http://localhost:8765/callback"}}, page},
      {{{"redirect_uri", "http://127.0.0.1:8765@example.com/callback"}}, page},
      {{{"redirect_uri", "http://127.0.0.1.example.com/callback"}}, page},
      {{{"redirect_uri", "https://127.0.0.1:8765/callback"}}, page},
      {{{"response_type", ""}}, "invalid_request"},
      {{{"response_type", "token"}}, "unsupported_response_type"},
      {{{"response_type", "code token"}}, "unsupported_response_type"},
      {{{"response_type", "CODE"}}, "unsupported_response_type"},
      {{{"scope", ""}}, "invalid_scope"},
      {{{"scope", "session-type:user"}}, "invalid_scope"},
      {{{"scope", "session-type:User session-type:Analyst"}}, "invalid_scope"},
      {{{"client_id", "portal"}, {"scope", "session-type:Analyst"}}, "invalid_scope"},
      {{{"code_challenge", ""}, {"code_challenge_method", ""}}, "invalid_request"},
      {{{"code_challenge", ""}}, "invalid_request"},
      {{{"code_challenge_method", "plain"}}, "invalid_request"},
      {{{"code_challenge_method", ""}}, "invalid_request"},  // RFC 7636: that means plain
      {{{"code_challenge_method", "s256"}}, "invalid_request"},
      {{{"code_challenge", challenge + "="}}, "invalid_request"},
      {{{"code_challenge", challenge.substr(1)}}, "invalid_request"},
      {{{"code_challenge", std::string(43, '+')}}, "invalid_request"},
      {{{"state", std::string("a\0b", 3)}}, "invalid_request"},
      {{{"state", "\xff"}}, "invalid_request"},
      {{{"state", std::string(4097, 'a')}}, "invalid_request"},
      {{{"nonce", std::string(4097, 'a')}}, "invalid_request"},
  };
  Office office;
  for (const Case& each : cases) {
    INFO(text_of(each.changes));
    const AuthorizationAnswer result = answer(office, each.changes);
    REQUIRE(std::holds_alternative<AuthorizationRefusal>(result));
    const auto& refusal = std::get<AuthorizationRefusal>(result);
    CHECK_FALSE(refusal.description.empty());
    if (each.error == page) {
      CHECK_FALSE(refusal.redirect_uri);
      continue;
    }
    CHECK(refusal.error == each.error);
    CHECK(refusal.redirect_uri == callback);
    CHECK(refusal.state == (each.changes.count("state") ? "" : "xyz"));
  }
  office.run("UPDATE \"client\" SET \"Grants\" = 'password' WHERE \"ClientId\" = 'app'");
  CHECK(std::get<AuthorizationRefusal>(answer(office, {})).error == "unauthorized_client");
}

TEST_CASE("redirect URIs match letter for letter, loopback addresses at any port") {
  struct Case {
    std::string registered, requested;
    bool matches;
  };
  const std::vector<Case> cases{
      {"https://a.example/cb", "https://a.example/cb", true},
      {"https://a.example/cb", "https://a.example/cb?x", false},
      {"https://a.example/cb", "https://a.example:443/cb", false},
      {"https://a.example/cb", "https://A.example/cb", false},
      {"https://a.example/cb", "https://a.example/cb/../cb", false},
      {"https://a.example/*", "https://a.example/cb", false},
      {"com.example.app:/cb", "com.example.app:/cb", true},
      {"http://127.0.0.1/cb", "http://127.0.0.1:1/cb", true},
      {"http://127.0.0.1:80/cb", "http://127.0.0.1:65535/cb", true},
      {"http://127.0.0.1:80/cb", "http://127.0.0.1/cb", true},
      {"http://[::1]/cb", "http://[::1]:4000/cb", true},
      {"http://127.0.0.1:80/cb?a=1", "http://127.0.0.1:81/cb?a=1", true},
      {"http://127.0.0.1/cb", "http://[::1]/cb", false},
      {"http://127.0.0.1/cb", "http://127.0.0.1:0/cb", false},
      {"http://127.0.0.1/cb", "http://127.0.0.1:65536/cb", false},
      {"http://127.0.0.1/cb", "http://127.0.0.1:/cb", false},
      {"http://127.0.0.1/cb", "http://127.0.0.1:-1/cb", false},
      {"http://127.0.0.1/cb", "http://127.0.0.1:1@example.com/cb", false},
      {"http://127.0.0.1/cb", "http://127.0.0.1:99999999999999999999/cb", false},
      {"http://127.0.0.1/cb", "http://127.0.0.1:1/other", false},
      {"http://127.0.0.1/cb", "http://127.0.0.10/cb", false},
      {"http://localhost/cb", "http://localhost:1/cb", false},
      {"https://127.0.0.1/cb", "https://127.0.0.1:1/cb", false},
      {"https://a.example/cb", "", false},
  };
  for (const Case& each : cases) {
    INFO(each.registered << " <- " << each.requested);
    CHECK(is_registered({"https://other.example/", each.registered}, each.requested) == each.matches);
  }
}

TEST_CASE("a code gives the session of its person and client, once") {
  Office office;
  const std::string code = code_for(office, 1, {{"scope", "session-type:Analyst"}});
  CHECK(code.starts_with("cac_"));
  CHECK(office.number("SELECT COUNT(*) FROM authorization_code WHERE hash LIKE 'cac%'") == 0);
  const TokenPair pair = office.tokens(code_form(code));
  CHECK(pair.scope == "session-type:Analyst");
  const auto session = office.session(pair.access_token);
  CHECK(session->person == 1);
  CHECK(session->client_id == "app");
  office.tokens(refresh_form(pair.refresh_token));
}

TEST_CASE("a code used twice is refused and ends the session that it made") {
  Office office;
  const std::string code = code_for(office, 1);
  const TokenPair pair = office.tokens(code_form(code));
  office.session(pair.access_token);
  for (int i = 0; i < 2; ++i) {
    const OAuthError error = office.refusal(code_form(code));
    CHECK(error.status == 400);
    CHECK(error.error == "invalid_grant");
    office.unauthenticated(pair.access_token);
  }
  CHECK(office.number("SELECT in_use FROM licence_pool") == 0);
}

TEST_CASE("long after, a code used again still ends its session") {
  Office office;
  const std::string code = code_for(office, 1);
  TokenPair pair = office.tokens(code_form(code));
  office.clock.advance_seconds(80'000);
  pair = office.tokens(refresh_form(pair.refresh_token));
  office.sweep();
  office.refusal(code_form(code));
  office.unauthenticated(pair.access_token);
}

TEST_CASE("a code is worth nothing to whoever does not know all of what it was issued for") {
  struct Case {
    Fields asked, sent;
    std::string error;
  };
  const Fields other{{"client_id", "service"}, {"client_secret", "secret"}};
  const Fields own{{"client_id", "service"},
                   {"client_secret", "secret"},
                   {"redirect_uri", by_service.at("redirect_uri")},
                   {"code_verifier", ""}};
  Fields guarded = by_service, unasked = own;
  guarded["code_challenge"] = challenge;
  guarded["code_challenge_method"] = "S256";
  unasked["code_verifier"] = verifier;
  const std::vector<Case> cases{
      {{}, {{"code_verifier", ""}}, "invalid_request"},
      {{}, {{"code", ""}}, "invalid_request"},
      {{}, {{"code_verifier", challenge}}, "invalid_grant"},
      {{}, {{"code_verifier", verifier.substr(1)}}, "invalid_grant"},
      {{}, {{"code_verifier", verifier + "="}}, "invalid_grant"},
      {{}, {{"redirect_uri", ""}}, "invalid_grant"},
      {{}, {{"redirect_uri", "http://127.0.0.1:8766/callback"}}, "invalid_grant"},
      {{{"redirect_uri", ""}}, {{"redirect_uri", "http://127.0.0.1:8766/callback"}}, "invalid_grant"},
      {{}, other, "invalid_grant"},
      {{}, {{"client_id", "portal"}}, "invalid_grant"},
      {{}, {{"scope", "session-type:Analyst"}}, "invalid_scope"},
      {{}, {{"client_id", "renewer"}}, "unauthorized_client"},
      {guarded, own, "invalid_grant"},         // PKCE was begun, so it must be ended
      {by_service, unasked, "invalid_grant"},  // RFC 9700 4.8.2
  };
  Office office;
  for (const Case& each : cases) {
    INFO(text_of(each.sent));
    const std::string code = code_for(office, 1, each.asked);
    Fields sent = each.sent;
    if (!sent.count("code")) sent["code"] = code;
    const OAuthError error = office.refusal(code_form(code, sent));
    CHECK(error.status == 400);
    CHECK(error.error == each.error);
  }
  for (const std::string& made_up : {std::string("x"), "cac_" + std::string(43, 'A'), std::string(44, 'A')})
    CHECK(office.refusal(code_form(made_up)).error == "invalid_grant");
  CHECK(office.number("SELECT COUNT(*) FROM \"session\"") == 0);
  // The rightful holder can still use a code that somebody else tried in vain.
  const std::string code = code_for(office, 1);
  office.refusal(code_form(code, other));
  office.refusal(code_form(code, {{"code_verifier", challenge}}));
  office.tokens(code_form(code));
  office.tokens(code_form(code_for(office, 1, {{"redirect_uri", ""}}), {{"redirect_uri", ""}}));
  office.tokens(code_form(code_for(office, 1, by_service), own));
  Fields whole = own;
  whole["code_verifier"] = verifier;
  office.tokens(code_form(code_for(office, 1, guarded), whole));
  const std::string elsewhere = "http://127.0.0.1:50000/callback";
  office.tokens(code_form(code_for(office, 1, {{"redirect_uri", elsewhere}}), {{"redirect_uri", elsewhere}}));
}

TEST_CASE("a code lives sixty seconds, to the millisecond") {
  Office office;
  const std::string first = code_for(office, 1), second = code_for(office, 1);
  office.clock.advance_ms(59'999);
  office.tokens(code_form(first));
  office.clock.advance_ms(1);
  CHECK(office.refusal(code_form(second)).error == "invalid_grant");
}

TEST_CASE("a code is issued only to whoever may hold its session, and serves only while that is so") {
  Office office;
  const Authorization user = accepted(office), analyst = accepted(office, {{"scope", "session-type:Analyst"}});
  const auto issued = [&](const Authorization& authorization, std::int64_t person) {
    const auto code = office.service().issue_code(authorization, person, "192.0.2.7");
    REQUIRE(code);
    return code->has_value();
  };
  CHECK(issued(user, 2));
  CHECK_FALSE(issued(analyst, 2));
  CHECK_FALSE(issued(user, 3));
  CHECK_FALSE(issued(user, 5));
  CHECK_FALSE(issued(user, 99));
  const std::string code = code_for(office, 2), late = code_for(office, 1);
  office.run("UPDATE \"person\" SET \"IsActive\" = 0 WHERE \"Ref\" = 2");
  CHECK(office.refusal(code_form(code)).error == "invalid_grant");
  office.run("UPDATE \"client\" SET \"IsEnabled\" = 0 WHERE \"ClientId\" = 'app'");
  CHECK(office.refusal(code_form(late)).error == "invalid_client");
  CHECK_FALSE(issued(user, 1));
}

TEST_CASE("of many uses of one code at once one succeeds at most, and its session does not outlive the others") {
  constexpr int threads = 16;
  Office office;
  for (int round = 0; round < 10; ++round) {
    const std::string code = code_for(office, 1);
    std::atomic<int> succeeded = 0;
    std::latch start(threads);
    std::vector<std::thread> crowd;
    for (int i = 0; i < threads; ++i)
      crowd.emplace_back([&] {
        start.arrive_and_wait();
        if (std::holds_alternative<TokenPair>(office.login(code_form(code)))) ++succeeded;
      });
    for (std::thread& thread : crowd) thread.join();
    CHECK(succeeded == 1);
    CHECK(office.number("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0") == 0);
    CHECK(office.number("SELECT in_use FROM licence_pool") == 0);
  }
}

TEST_CASE("a password in a browser is judged as in the password grant") {
  Options options;
  options.attempts_per_minute = 100;
  Office office(options);
  const Authorization user = accepted(office), analyst = accepted(office, {{"scope", "session-type:Analyst"}});
  const auto check = [&](const Authorization& authorization, const std::string& login, const std::string& password) {
    auto result = office.service().check_password(authorization, login, password, "192.0.2.9");
    REQUIRE(result);
    return *std::move(result);
  };
  CHECK(std::get<std::int64_t>(check(analyst, "ada", "correct")) == 1);
  CHECK(std::get<std::int64_t>(check(user, "BOB", "correct")) == 2);
  const OAuthError expected = office.refusal(password_form("ada", {{"password", "wrong"}}));
  for (const auto& [authorization, login, password] :
       std::vector<std::tuple<Authorization, std::string, std::string>>{{user, "ada", "wrong"},
                                                                        {user, "nobody", "correct"},
                                                                        {user, "gone", "correct"},
                                                                        {analyst, "bob", "correct"},
                                                                        {user, "ada", ""},
                                                                        {user, "ada", std::string("correct\0", 8)}}) {
    const auto result = check(authorization, login, password);
    REQUIRE(std::holds_alternative<OAuthError>(result));
    CHECK(std::get<OAuthError>(result).error == expected.error);
    CHECK(std::get<OAuthError>(result).description == expected.description);
  }
  CHECK(office.number("SELECT COUNT(*) FROM \"session\"") == 0);
  for (int i = 0; i < 10; ++i) check(user, "ada", "wrong");
  CHECK(std::holds_alternative<OAuthError>(check(user, "ada", "correct")));  // locked
  LoginRequest from_there = password_form("ada");
  from_there.remote_address = "192.0.2.9";
  CHECK(office.refusal(from_there).error == "invalid_grant");  // here too
  office.tokens(password_form("ada"));                         // but not elsewhere
  while (std::get<OAuthError>(check(user, "ada", "x")).status == 400) {}
  CHECK(std::get<OAuthError>(check(user, "ada", "x")).status == 429);
}

TEST_CASE("a login name that somebody vouches for is that of an active person") {
  Office office;
  const auto find = [&](std::string_view login) { return *office.service().find_person_by_login(login); };
  CHECK(find("ada") == 1);
  CHECK(find("élodie") == 4);
  for (const char* ada : {"ada ", " ada", "\tADA\n", "\u00A0ada\u3000", "\u200Bada\uFEFF"}) CHECK(find(ada) == 1);
  for (const char* nobody : {"gone", "deleted", "nobody", "", " ", "a da", "%"}) CHECK_FALSE(find(nobody));
}

TEST_CASE("a name whose capitals are those of another name is nobody's, whoever says it") {
  Office office;
  office.run(
      "INSERT INTO \"person\" (\"Ref\", \"LoginId\", \"IsActive\", \"IsAnalyst\", \"IsDeleted\") VALUES "
      "(7, 'ADMIN', 1, 1, 0), (8, 'USER', 1, 0, 0), (9, 'ΝΙΚΟΣ', 1, 0, 0), (10, 'ΜΑ', 1, 0, 0)");
  const auto find = [&](std::string_view login) { return *office.service().find_person_by_login(login); };
  for (const char* twin : {"admın", "ADMıN", "uſer", "\u00B5α", "Νικοσ"}) {
    INFO(twin);
    CHECK_FALSE(find(twin));
    CHECK_FALSE(*office.service().find_person_by_identity("https://login.example", twin, twin));
  }
  CHECK(office.number("SELECT COUNT(*) FROM identity_link") == 0);
  CHECK(find("Admin") == 7);
  CHECK(find("uSeR") == 8);
  for (const char* nikos : {"ΝΙΚΟΣ", "Νικος", "νικος"}) CHECK(find(nikos) == 9);  // ς: the small Σ at a word's end
  CHECK(find("μα") == 10);
  office.write(
      [&](storage::Connection& connection) { return put_password_hash(connection, 7, office.hash("correct")); });
  office.tokens(password_form("admin"));
  office.refusal(password_form("admın"));
  CHECK(office.audit.events.back().reason == "unknown login name");
}
