// A small office with a database of its own in a temporary folder: persons, clients and roles to sign in with. Hashes
// are made at the lowest cost, so that hundreds of logins take no time.
#pragma once

#include "engine/auth/admin.h"
#include "engine/auth/service.h"
#include "engine/storage/database.h"
#include "tests/support/fixed_clock.h"
#include "tests/support/seeded_random.h"
#include "tests/support/temporary_folder.h"

#include <catch2/catch.hpp>

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::auth {

class Office {
 public:
  static constexpr ScryptCost cost{4, 1, 1};

  explicit Office(Options options = {});
  ~Office();

  void restart();  // a new service on the same database: nothing in memory
  void write(const storage::WriteFunction& function);
  void run(std::string_view sql);
  std::int64_t number(SqlLiteral sql);  // the only value of a query
  std::string hash(const std::string& password) { return PasswordHash::make(password, cost, random).text(); }

  LoginAnswer login(const LoginRequest& request);
  TokenPair tokens(const LoginRequest& request);    // fails the test where sign-in is refused
  OAuthError refusal(const LoginRequest& request);  // fails the test where it is not
  std::optional<OAuthError> log_out(const TokenPair& pair);
  void sweep();
  Service& service() { return *service_; }
  std::shared_ptr<const Session> session(const std::string& access_token);
  std::string unauthenticated(const std::string& access_token);  // the message of the 401

  // What was noted for the audit log.
  class Audit final : public audit::Sink {
   public:
    void note(const audit::Event& event) override {
      const std::lock_guard lock(mutex_);
      events.push_back(event);
    }
    std::vector<audit::Event> events;

   private:
    std::mutex mutex_;
  };
  Audit audit;
  testing::FixedClock clock;
  testing::SeededRandom random;
  Options options;

 private:
  test::TemporaryFolder folder_;
  std::unique_ptr<storage::Database> database_;
  std::unique_ptr<Service> service_;
};

using Fields = std::map<std::string, std::string>;

LoginRequest form(const Fields& fields);
// Signing in as that person with the right password, with `changes` over it.
LoginRequest password_form(const std::string& login_name, const Fields& changes = {});
LoginRequest refresh_form(const std::string& refresh_token, const Fields& changes = {});

}  // namespace callisto::auth
