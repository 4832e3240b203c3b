// The endpoint with a service that answers what a test wants and requests made of texts. One thread.
#pragma once

#include "engine/sign_in/authorization_endpoint.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/seeded_random.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace callisto::sign_in {

using Headers = std::vector<std::pair<std::string, std::string>>;

class FakeRequest final : public http::Request {
 public:
  FakeRequest(std::string verb, std::string query, Headers headers, std::string body);
  std::string_view header(std::string_view any_case_name) const override;
  std::size_t header_count(std::string_view any_case_name) const override;
  Result<std::string> body(std::size_t limit) override;
  Result<void> read_body(std::size_t, const http::BodySink&) override { return internal("unused"); }

 private:
  std::string verb_, query_, body_;
  Headers headers_;
};

// One client, `app`, and one person, `ada` with the password `lovelace`, who is number 7. What it heard is kept.
class FakeService final : public auth::Service {
 public:
  Result<auth::LoginAnswer> login(const auth::LoginRequest&) override { return internal("unused"); }
  Result<std::shared_ptr<const auth::Session>> authenticate(std::string_view) override { return internal("unused"); }
  Result<std::shared_ptr<const auth::Session>> view_as(const auth::Session&, const std::string&,
                                                       std::optional<auth::SessionType>) override {
    return internal("unused");
  }
  Result<auth::AuthorizationAnswer> check_authorization(const auth::AuthorizationParameters& parameters) override;
  Result<std::variant<std::int64_t, auth::OAuthError>> check_password(const auth::Authorization& authorization,
                                                                      const std::string& login_name,
                                                                      const std::string& password,
                                                                      const std::string& remote_address) override;
  int take_attempt(const std::string&) override { return seconds_to_wait; }
  Result<std::optional<std::int64_t>> find_person_by_login(std::string_view login_name) override;
  Result<std::optional<std::int64_t>> find_person_by_identity(const std::string&, const std::string&,
                                                              const std::string& login_name) override {
    return find_person_by_login(login_name);
  }
  Result<std::optional<auth::OAuthError>> logout(const auth::LoginRequest&, std::string_view) override {
    return internal("unused");
  }
  Result<std::optional<auth::OAuthError>> revoke(const auth::LoginRequest&) override { return internal("unused"); }
  Result<auth::LoginAnswer> renew_in_browser(const std::string&) override { return internal("unused"); }
  Result<void> end_in_browser(const std::string&, const std::string&) override { return internal("unused"); }
  void forget_session(std::int64_t) override {}
  void forget_all() override {}
  Result<void> sweep() override { return {}; }
  auth::Secrets& secrets() override { std::abort(); }
  Result<std::optional<std::string>> issue_code(const auth::Authorization& authorization, std::int64_t person,
                                                const std::string& remote_address) override;

  std::string redirect_uri = "https://app.example/back?tab=1";
  std::string client_name = "The application";
  std::optional<auth::OAuthError> password_refusal;  // instead of looking at the password
  std::optional<std::string> code = "code/+ 1";
  bool broken = false;      // the database failed
  int seconds_to_wait = 0;  // of take_attempt
  std::vector<std::string> passwords_checked;
  std::vector<std::string> names_asked;
  std::vector<std::int64_t> codes_issued;
};

// What was noted for the audit log.
struct FakeAudit final : audit::Sink {
  void note(const audit::Event& event) override { events.push_back(event); }
  std::vector<audit::Event> events;
};

struct Reply {
  int status = 0;
  std::string body;
  std::multimap<std::string, std::string> headers;
  std::string header(const std::string& name) const;  // fails the test where it stands there twice
  std::string location() const { return header("Location"); }
};

class Lobby {
 public:
  static constexpr const char* secret = "correct-horse-battery";

  explicit Lobby(Options options = {"https://desk.example", "/service.web/oauth", "Desk"});
  void add(std::unique_ptr<Provider> provider);  // before the first request
  void trust_proxy();                            // 10.0.0.5, with `secret`; cuts CORP

  Reply send(const std::string& method, const std::string& query, const Headers& headers = {},
             const std::string& body = {}, AuthorizationEndpoint::Path path = AuthorizationEndpoint::Path::Authorize);
  Reply get(const std::string& query, const Headers& headers = {}) { return send("GET", query, headers); }
  // As a browser: with the cookie and the sealed request of `page`.
  Reply submit(const Reply& page, const std::string& login_name = "ada", const std::string& password = "lovelace");
  Reply post(const std::string& body, const std::string& cookie, const Headers& more = {});
  void restart();  // a new key

  testing::FixedClock clock;
  testing::SeededRandom random;
  FakeService service;
  FakeAudit audit;
  std::string peer = "192.0.2.9";
  std::vector<std::string> distrusted;

 private:
  Options options_;
  Providers providers_;
  std::unique_ptr<AuthorizationEndpoint> endpoint_;
};

// What the page's form would send, and the cookie that came with it.
std::string pending_of(const Reply& page);
std::string cookie_of(const Reply& page);
std::string encoded(const std::string& text);

inline const std::string good = "response_type=code&client_id=app&state=s%201&code_challenge=c";

}  // namespace callisto::sign_in
