// Sign-in forms of every kind of wrong: each is a refusal of the tables (API rules 6.1, 6) in the
// OAuth shape, never 500, and tells nothing of the inside.
#include "bad_input.h"
#include "engine/base/base64.h"

#include "engine/base/text.h"
#include "engine/http/url.h"

#include <catch2/catch.hpp>
#include <set>

namespace {

using namespace callisto;
using namespace callisto::tests;

// Its own server: guesses count, and the other tests sign in too.
const ServerProcess& server() {
  static const TemporaryFolder folder;
  static const ServerProcess process(folder.path(), {"--samples", "--set", "oauth.attempts_per_minute=100000"});
  return process;
}

std::string form(const Query& fields) {
  const std::string query = encoded(fields);
  return query.empty() ? query : query.substr(1);
}

using Fields = std::vector<std::pair<std::string, std::string>>;

// A good form with one field replaced.
std::string with(const std::string& name, const std::string& value, Fields fields) {
  for (auto& [known, content] : fields)
    if (known == name) content = value;
  return form(fields);
}

const Fields by_password{{"client_id", "sample-app"},
                         {"grant_type", "password"},
                         {"username", "analyst"},
                         {"password", "callisto"},
                         {"scope", "session-type:Analyst"}};
const Fields by_token{{"client_id", "sample-app"}, {"grant_type", "refresh_token"}, {"refresh_token", "crt_x"}};

// The error named in an answer that has the right form.
std::string refused(const Answer& answer) {
  INFO(answer.status << " " << answer.body.substr(0, 300));
  static const std::set<std::string> rows{"400 invalid_request", "400 invalid_grant",          "401 invalid_grant",
                                          "401 invalid_client",  "400 unsupported_grant_type", "400 invalid_scope",
                                          "413 invalid_request", "415 invalid_request"};
  CHECK(answer.headers.at("content-type").starts_with("application/json"));
  CHECK(answer.headers.at("cache-control") == "no-store");
  const auto body = json::parse(answer.body);
  REQUIRE(body);
  const std::string error = member(*body, "error").text();
  CHECK(rows.count(std::to_string(answer.status) + " " + error) == 1);
  CHECK(answer.body.size() < 400);
  return error;
}

std::vector<std::string> texts() {
  std::vector<std::string> all = injection_strings();
  for (const std::string& each : naughty_strings()) all.push_back(each);
  return all;
}

}  // namespace

TEST_CASE("odd texts in a field of the sign-in form are refused as the field says") {
  for (const std::string& each : texts()) {
    INFO(each);
    const bool unreadable = each.empty() || is_unspeakable(each);
    const auto expect = [&](const char* error) { return std::string(unreadable ? "invalid_request" : error); };
    CHECK(refused(server().login(with("client_id", each, by_token))) == expect("invalid_client"));
    CHECK(refused(server().login(with("grant_type", each, by_password))) == expect("unsupported_grant_type"));
    CHECK(refused(server().login(with("scope", each, by_password))) == expect("invalid_scope"));
    CHECK(refused(server().login(with("refresh_token", each, by_token))) == expect("invalid_grant"));
    const Fields more{{"client_id", "sample-app"}, {each.empty() ? "x" : each, "1"}};
    CHECK(refused(server().login(form(more))) == "invalid_request");
  }
}

TEST_CASE("odd names and passwords are wrong credentials, all with one description") {
  std::set<std::string> bodies;
  const Query wrong{
      {"username", "' OR '1'='1"}, {"username", "ANALYST\" --"}, {"username", "%"}, {"password", "' or ''='"}};
  for (const auto& [name, text] : wrong) {
    const Answer answer = server().login(with(name, text, by_password));
    INFO(name << " " << text);
    CHECK(refused(answer) == "invalid_grant");
    bodies.insert(answer.body);
  }
  CHECK(bodies.size() == 1);
  CHECK(refused(server().login(with("username", std::string(5000, 'a'), by_password))) == "invalid_request");
  CHECK(refused(server().login(with("password", std::string(5000, 'a'), by_password))) == "invalid_request");
}

TEST_CASE("bodies that are no form are refused, whatever they say they are") {
  const ServerProcess::Headers type{"Content-Type: application/x-www-form-urlencoded; charset=utf-8"};
  std::vector<std::string> bodies{"&&&",
                                  "=",
                                  "===",
                                  "a",
                                  "%",
                                  "%zz",
                                  "a=%ff",
                                  "client_id",
                                  "{\"grant_type\": \"password\"}",
                                  "client_id=a&client_id=b",
                                  "\xff\xfe",
                                  std::string(64 * 1024 + 1, '&'),
                                  std::string(60'000, '='),
                                  "grant_type=password&GRANT_TYPE=password"};
  for (const std::string& each : texts())
    if (!each.empty()) bodies.push_back(each);
  for (const std::string& body : bodies) {
    INFO(body.substr(0, 200));
    const std::string error = refused(server().send("POST", "/service.web/oauth/login", type, body));
    CHECK(error == "invalid_request");
  }
  for (const char* other : {"text/plain", "multipart/form-data; boundary=x", "application/json",
                            "application/x-www-form-urlencodedx", "*/*", ";"})
    CHECK(server()
              .send("POST", "/service.web/oauth/login", {"Content-Type: " + std::string(other)}, form(by_password))
              .status == 415);
}

TEST_CASE("credentials in a broken or odd Basic header are refused") {
  const ServerProcess::Headers type{"Content-Type: application/x-www-form-urlencoded"};
  const std::string rest = form({{"grant_type", "refresh_token"}, {"refresh_token", "crt_x"}});
  for (const char* broken : {"Basic", "Basic ", "Basic %%%", "Basic YQ", "Basic =", "Basic YTpi YTpi", "Basic YWJj"}) {
    ServerProcess::Headers headers = type;
    headers.push_back("Authorization: " + std::string(broken));
    INFO(broken);
    CHECK(refused(server().send("POST", "/service.web/oauth/login", headers, rest)) == "invalid_request");
  }
  for (const std::string& each : texts()) {
    // A colon begins the secret, and each secret is hashed at length.
    if (each.size() > 500 || each.find(':') != each.npos) continue;
    ServerProcess::Headers headers = type;
    headers.push_back("Authorization: Basic " + encode_base64(each + ":", Base64::Padded));
    const Answer answer = server().send("POST", "/service.web/oauth/login", headers, rest);
    INFO(each);
    const std::string error = refused(answer);
    CHECK((error == "invalid_client" || error == "invalid_request"));
    CHECK(answer.headers.count("www-authenticate") == (answer.status == 401 ? 1 : 0));
  }
}

TEST_CASE("after all of that the server signs in the right ones") {
  CHECK(server().login(form(by_password)).status == 200);
}
