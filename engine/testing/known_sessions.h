// KnownSessions: the sign-in service of a desk under test. It signs in anybody whom a spec names, without a password;
// the rest is the real service's. One thread.
#pragma once

#include "engine/auth/service.h"

#include <memory>
#include <string>
#include <vector>

namespace callisto::testing {

class KnownSessions final : public auth::Service {
 public:
  explicit KnownSessions(std::unique_ptr<auth::Service> service) : service_(std::move(service)) {}

  std::size_t add(auth::Session session);  // its number; never given twice
  const auth::Session* find(std::size_t number) const;
  static std::string token_of(std::size_t number);
  void forget();  // all that were added

  Result<std::shared_ptr<const auth::Session>> authenticate(std::string_view access_token) override;
  Result<std::shared_ptr<const auth::Session>> view_as(const auth::Session& viewer, const std::string& login,
                                                       std::optional<auth::SessionType> type) override {
    return service_->view_as(viewer, login, type);
  }

  Result<auth::LoginAnswer> login(const auth::LoginRequest& request) override { return service_->login(request); }
  Result<std::optional<auth::OAuthError>> logout(const auth::LoginRequest& request, std::string_view token) override {
    return service_->logout(request, token);
  }
  Result<std::optional<auth::OAuthError>> revoke(const auth::LoginRequest& request) override {
    return service_->revoke(request);
  }
  Result<auth::LoginAnswer> renew_in_browser(const std::string& key) override {
    return service_->renew_in_browser(key);
  }
  Result<void> end_in_browser(const std::string& key, const std::string& address) override {
    return service_->end_in_browser(key, address);
  }
  void forget_session(std::int64_t session) override { service_->forget_session(session); }
  void forget_all() override { service_->forget_all(); }
  Result<void> sweep() override { return service_->sweep(); }
  Result<auth::AuthorizationAnswer> check_authorization(const auth::AuthorizationParameters& parameters) override {
    return service_->check_authorization(parameters);
  }
  Result<std::variant<std::int64_t, auth::OAuthError>> check_password(const auth::Authorization& authorization,
                                                                      const std::string& login_name,
                                                                      const std::string& password,
                                                                      const std::string& remote_address) override {
    return service_->check_password(authorization, login_name, password, remote_address);
  }
  int take_attempt(const std::string& address) override { return service_->take_attempt(address); }
  Result<std::optional<std::int64_t>> find_person_by_login(std::string_view login_name) override {
    return service_->find_person_by_login(login_name);
  }
  Result<std::optional<std::int64_t>> find_person_by_identity(const std::string& issuer, const std::string& subject,
                                                              const std::string& login_name) override {
    return service_->find_person_by_identity(issuer, subject, login_name);
  }
  Result<std::optional<std::string>> issue_code(const auth::Authorization& authorization, std::int64_t person,
                                                const std::string& remote_address) override {
    return service_->issue_code(authorization, person, remote_address);
  }
  auth::Secrets& secrets() override { return service_->secrets(); }

 private:
  std::unique_ptr<auth::Service> service_;
  std::vector<std::shared_ptr<const auth::Session>> sessions_;
  std::size_t forgotten_ = 0;  // how many went before the first of sessions_
};

}  // namespace callisto::testing
