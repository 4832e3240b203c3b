#include "tests/unit/auth/office.h"

#include <string>
#include <vector>

using namespace callisto;
using namespace callisto::auth;

namespace {

void check(const OAuthError& error, int status, const std::string& code) {
  CHECK(error.status == status);
  CHECK(error.error == code);
  CHECK_FALSE(error.description.empty());
}

LoginRequest without(LoginRequest request, const std::string& name) {
  request.fields.erase(name);
  return request;
}

LoginRequest basic(LoginRequest request, std::optional<std::string> id, std::optional<std::string> secret) {
  request.basic_id = std::move(id);
  request.basic_secret = std::move(secret);
  return request;
}

}  // namespace

TEST_CASE("signing in gives a pair of tokens, the scope and ten minutes") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada", {{"scope", "session-type:Analyst"}}));
  CHECK(pair.expires_in == 600);
  CHECK(pair.scope == "session-type:Analyst");
  CHECK(pair.access_token.starts_with("cat_"));
  CHECK(pair.refresh_token.starts_with("crt_"));
  const auto session = office.session(pair.access_token);
  CHECK(session->type == SessionType::Analyst);
  CHECK(session->person == 1);
  CHECK(session->client_id == "app");
}

TEST_CASE("login names match ignoring case, other letters than English ones too") {
  Office office;
  CHECK(office.session(office.tokens(password_form("aDa")).access_token)->person == 1);
  CHECK(office.session(office.tokens(password_form("élodie")).access_token)->person == 4);
}

TEST_CASE("the database holds digests of tokens, never a token") {
  Office office;
  const TokenPair pair = office.tokens(password_form("ada"));
  CHECK(office.number("SELECT COUNT(*) FROM access_token") == 1);
  CHECK(office.number("SELECT COUNT(*) FROM access_token WHERE hash LIKE 'cat%'") == 0);
  CHECK(office.number("SELECT COUNT(*) FROM refresh_token WHERE hash LIKE 'crt%' OR successor LIKE 'crt%'") == 0);
  CHECK(office.number("SELECT length(hash) FROM access_token") == 43);
}

TEST_CASE("a form that says too little, too much or nothing readable is an invalid request") {
  Office office;
  for (const char* name : {"grant_type", "client_id", "scope", "username", "password"}) {
    INFO(name);
    const OAuthError missing = office.refusal(without(password_form("ada"), name));
    check(missing, 400, "invalid_request");
    CHECK(missing.description.find(name) != std::string::npos);
    check(office.refusal(password_form("ada", {{name, ""}})), 400, "invalid_request");
    check(office.refusal(password_form("ada", {{name, std::string("a\0b", 3)}})), 400, "invalid_request");
    check(office.refusal(password_form("ada", {{name, "\xff"}})), 400, "invalid_request");
    check(office.refusal(password_form("ada", {{name, std::string(4097, 'a')}})), 400, "invalid_request");
  }
  LoginRequest twice = password_form("ada");
  twice.repeated = "scope";
  check(office.refusal(twice), 400, "invalid_request");
  check(office.refusal(without(refresh_form("x"), "refresh_token")), 400, "invalid_request");
}

TEST_CASE("unknown grants and scopes are told by their own errors") {
  Office office;
  for (const char* grant : {"Password", "implicit", "password ", "urn:ietf:params:oauth:grant-type:device_code"})
    check(office.refusal(password_form("ada", {{"grant_type", grant}})), 400, "unsupported_grant_type");
  for (const char* scope : {"session-type:analyst", "Analyst", "session-type:", "session-type:User openid", "*"})
    check(office.refusal(password_form("ada", {{"scope", scope}})), 400, "invalid_scope");
  check(office.refusal(password_form("ada", {{"client_id", "portal"}, {"scope", "session-type:Analyst"}})), 400,
        "invalid_scope");
  CHECK(office.tokens(password_form("ada", {{"client_id", "portal"}})).scope == "session-type:User");
}

TEST_CASE("a client must be known, enabled, and prove itself where it has a secret") {
  Office office;
  const OAuthError unknown = office.refusal(password_form("ada", {{"client_id", "nobody"}}));
  check(unknown, 401, "invalid_client");
  for (const Fields& fields : std::vector<Fields>{{{"client_id", "disabled"}},
                                                  {{"client_id", "APP"}},
                                                  {{"client_id", "service"}},
                                                  {{"client_id", "service"}, {"client_secret", ""}},
                                                  {{"client_id", "service"}, {"client_secret", "Secret"}},
                                                  {{"client_id", "nobody"}, {"client_secret", "secret"}}}) {
    const OAuthError error = office.refusal(password_form("ada", fields));
    check(error, 401, "invalid_client");
    CHECK(error.description == unknown.description);
  }
  office.tokens(password_form("ada", {{"client_id", "service"}, {"client_secret", "secret"}}));
}

TEST_CASE("a client may name and prove itself by HTTP Basic, in one way at a time") {
  Office office;
  const LoginRequest nameless = without(password_form("ada"), "client_id");
  office.tokens(basic(nameless, "app", ""));
  office.tokens(basic(nameless, "service", "secret"));
  office.tokens(basic(password_form("ada", {{"client_id", "service"}}), "service", "secret"));
  check(office.refusal(basic(nameless, "service", "wrong")), 401, "invalid_client");
  check(office.refusal(basic(nameless, "", "")), 400, "invalid_request");
  check(office.refusal(basic(password_form("ada"), "service", "secret")), 400, "invalid_request");
  check(office.refusal(
            basic(password_form("ada", {{"client_id", "service"}, {"client_secret", "secret"}}), "service", "secret")),
        400, "invalid_request");
}

TEST_CASE("a client uses only the grants that are enabled for it") {
  Office office;
  check(office.refusal(password_form("ada", {{"client_id", "renewer"}})), 400, "unauthorized_client");
}

TEST_CASE("every reason not to let a person in has one answer, and each leaves one trace") {
  Options options;
  options.attempts_per_minute = 0;
  Office office(options);
  const OAuthError expected = office.refusal(password_form("ada", {{"password", "wrong"}}));
  check(expected, 400, "invalid_grant");
  std::vector<LoginRequest> refused{password_form("nobody"),
                                    password_form("gone"),
                                    password_form("deleted"),
                                    password_form("nopassword"),
                                    password_form("bob", {{"scope", "session-type:Analyst"}}),
                                    password_form("ada", {{"password", "CORRECT"}}),
                                    password_form("ada", {{"password", "correct "}}),
                                    password_form("ada'--"),
                                    password_form("%")};
  for (const LoginRequest& request : refused) {
    INFO(request.fields.at("username"));
    office.clock.advance_seconds(1);
    const OAuthError error = office.refusal(request);
    check(error, 400, "invalid_grant");
    CHECK(error.description == expected.description);
    CHECK(office.number("SELECT MAX(refused_at) FROM person_password") == office.clock.now().ms);
  }
  CHECK(office.number("SELECT COUNT(*) FROM session") == 0);
  CHECK(office.number("SELECT failures FROM person_password WHERE person = 2") == 0);
  CHECK(office.number("SELECT failures FROM person_password WHERE person = 1") == 3);
}

TEST_CASE("ten wrong passwords in a row lock an account, each further one for twice as long, up to 15 minutes") {
  Options options;
  options.attempts_per_minute = 0;
  Office office(options);
  const LoginRequest wrong = password_form("ada", {{"password", "wrong"}}), right = password_form("ada");
  for (int i = 0; i < 9; ++i) office.refusal(wrong);
  office.tokens(right);  // nine are forgiven
  for (int i = 0; i < 10; ++i) office.refusal(wrong);
  for (const int seconds : {30, 60, 120, 240, 480, 900, 900}) {
    INFO(seconds);
    const OAuthError locked = office.refusal(right);
    check(locked, 400, "invalid_grant");
    office.clock.advance_ms(seconds * 1000 - 1);
    office.refusal(wrong);  // does not lengthen the lock
    check(office.refusal(right), 400, "invalid_grant");
    office.clock.advance_ms(1);
    office.refusal(wrong);  // begins the next
  }
  office.tokens(password_form("bob"));  // others are not locked out
  office.clock.advance_seconds(900);
  office.tokens(right);
  office.refusal(wrong);
  office.tokens(right);
}

TEST_CASE("an address that tries too often is told when to come back, before anything is checked") {
  Options options;
  options.attempts_per_minute = 2;
  Office office(options);
  office.tokens(password_form("ada"));
  office.refusal(password_form("ada", {{"client_id", "nobody"}}));
  const OAuthError error = office.refusal(password_form("ada"));
  CHECK(error.status == 429);
  CHECK(error.retry_after_seconds == 30);
  LoginRequest elsewhere = password_form("ada");
  elsewhere.remote_address = "192.0.2.2";
  office.tokens(elsewhere);
  office.clock.advance_seconds(30);
  office.tokens(password_form("ada"));
}

TEST_CASE("a session holds a licence until it ends or expires") {
  Options options;
  options.licences = 2;
  Office office(options);
  const TokenPair first = office.tokens(password_form("ada"));
  office.tokens(password_form("ada"));
  check(office.refusal(password_form("bob")), 400, "invalid_grant");
  CHECK(office.number("SELECT failures FROM person_password WHERE person = 2") == 0);
  CHECK_FALSE(office.log_out(first));
  office.tokens(password_form("bob"));
  office.refusal(password_form("bob"));
  office.clock.advance_seconds(86400);
  office.tokens(password_form("bob"));
  office.tokens(password_form("bob"));
  office.refusal(password_form("bob"));
}

TEST_CASE("a hash of an older cost is renewed when its person signs in, and only then") {
  Office office;
  office.write([&](storage::Connection& connection) {
    return put_password_hash(connection, 2, PasswordHash::make("older", {5, 1, 1}, office.random).text());
  });
  const auto old_hashes = [&] {
    return office.number("SELECT COUNT(*) FROM person_password WHERE hash LIKE '$scrypt$ln=5,r=1,p=1$%'");
  };
  office.refusal(password_form("bob"));
  office.refusal(password_form("bob", {{"password", "older"}, {"scope", "session-type:Analyst"}}));
  CHECK(old_hashes() == 1);
  office.tokens(password_form("bob", {{"password", "older"}}));
  CHECK(old_hashes() == 0);
  office.tokens(password_form("bob", {{"password", "older"}}));
}

TEST_CASE("a secret that was right once costs no attempt and no hash again, until it is changed") {
  Options options;
  options.attempts_per_minute = 2;
  Office office(options);
  const auto by_secret = [&](const std::string& secret) {
    return office.login(form({{"grant_type", "client_credentials"},
                              {"client_id", "service"},
                              {"client_secret", secret},
                              {"scope", "session-type:User"}}));
  };
  for (int i = 0; i < 10; ++i) CHECK(std::holds_alternative<TokenPair>(by_secret("secret")));
  CHECK(std::get<OAuthError>(by_secret("wrong")).error == "invalid_client");
  CHECK(std::get<OAuthError>(by_secret("wrong")).status == 429);
  CHECK(std::holds_alternative<TokenPair>(by_secret("secret")));
  office.run("UPDATE client_secret SET hash = (SELECT hash FROM person_password WHERE person = 1)");
  CHECK(std::get<OAuthError>(by_secret("secret")).status == 429);
  office.clock.advance_seconds(60);
  CHECK(std::get<OAuthError>(by_secret("secret")).error == "invalid_client");
  CHECK(std::holds_alternative<TokenPair>(by_secret("correct")));
  office.run("UPDATE client SET \"IsEnabled\" = 0 WHERE \"ClientId\" = 'service'");
  CHECK(std::get<OAuthError>(by_secret("correct")).error == "invalid_client");
}

TEST_CASE("the first sign-in by a client with a secret costs one attempt, as every other") {
  Options options;
  options.attempts_per_minute = 2;
  Office office(options);
  const LoginRequest by_secret = password_form("ada", {{"client_id", "service"}, {"client_secret", "secret"}});
  office.tokens(by_secret);
  office.tokens(by_secret);
  CHECK(office.refusal(by_secret).status == 429);
  office.clock.advance_seconds(60);
  for (int i = 0; i < 2; ++i)
    CHECK(office.refusal(password_form("ada", {{"client_id", "service"}, {"client_secret", "wrong"}})).status == 401);
  CHECK(office.refusal(by_secret).status == 429);
}

TEST_CASE("Basic credentials that were not form-encoded are tried as they came, where the decoded ones are wrong") {
  Office office;
  const auto with_secret = [&](const std::string& secret) {
    office.write(
        [&](storage::Connection& connection) { return put_client_secret(connection, 2, office.hash(secret)); });
  };
  LoginRequest request = basic(without(password_form("ada"), "client_id"), "service", "a b");
  request.plain_id = "service";
  request.plain_secret = "a+b";
  with_secret("a b");
  office.tokens(request);
  with_secret("a+b");
  office.tokens(request);
  with_secret("another");
  check(office.refusal(request), 401, "invalid_client");
  request.basic_id = "serv ice";  // an id may hold a plus as well
  request.plain_id = "service";
  with_secret("a+b");
  office.tokens(request);
  request.fields["client_id"] = "service";
  office.tokens(request);
  request.fields["client_id"] = "app";
  check(office.refusal(request), 400, "invalid_request");
}

TEST_CASE("a second reading of Basic credentials costs no second attempt") {
  Options options;
  options.attempts_per_minute = 2;
  Office office(options);
  LoginRequest request =
      basic(form({{"grant_type", "client_credentials"}, {"scope", "session-type:User"}}), "service", "a b");
  request.plain_id = "service";
  request.plain_secret = "a+b";
  CHECK(office.refusal(request).status == 401);
  CHECK(office.refusal(request).status == 401);
  CHECK(office.refusal(request).status == 429);
}

TEST_CASE("a password is the same in composed and decomposed letters, also one that was hashed before") {
  const std::string composed = "Stra\u00DFen\u00E4hner", decomposed = "Stra\u00DFena\u0308hner";
  Office office;
  const auto signs_in = [&](const std::string& password) {
    return std::holds_alternative<TokenPair>(office.login(password_form("ada", {{"password", password}})));
  };
  const auto put = [&](const std::string& hash) {
    office.write([&](storage::Connection& connection) { return put_password_hash(connection, 1, hash); });
  };
  for (const std::string& set : {composed, decomposed}) {
    put(office.hash(set));
    CHECK(signs_in(composed));
    CHECK(signs_in(decomposed));
    CHECK_FALSE(signs_in(composed + " "));  // a password keeps its blanks
    CHECK_FALSE(signs_in("Stra\u00DFenahner"));
  }
  PasswordHash old{Office::cost, std::string(16, 's'), {}};  // of the text as it was typed
  old.hash = *scrypt(decomposed, old.salt, old.cost, 32);
  put(old.text());
  CHECK(signs_in(decomposed));
}
