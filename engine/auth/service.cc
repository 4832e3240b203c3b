#include "engine/auth/service.h"

#include "engine/auth/access_check.h"
#include "engine/auth/grant.h"

#include <thread>
#include <utility>

namespace callisto::auth {

namespace {

// RFC 6750 3.1: a request without any token is told how to send one, not what is wrong with it.
Error refuse_malformed(std::string_view access_token) {
  if (access_token.empty())
    return not_authenticated("Sign in first, then send the header Authorization: Bearer <access token>.");
  if (looks_like(TokenKind::Refresh, access_token))
    return not_authenticated("This is a refresh token. Send the access token.");
  return not_authenticated("This is not an access token of this server. Sign in again.");
}

class SignIn final : public Service {
 public:
  SignIn(storage::Database& database, std::unique_ptr<storage::Connection> connection, const Clock& clock,
         Random& random, const Options& options, audit::Sink& audit)
      : options_(options),
        clock_(clock),
        reader_(std::move(connection)),
        hasher_(options.password_cost, std::thread::hardware_concurrency(), random),
        attempts_(options.attempts_per_minute),
        context_{database, reader_, clock, random, options_, hasher_, attempts_, cache_, audit} {}

  Result<LoginAnswer> login(const LoginRequest& request) override { return run_login(context_, request); }

  Result<std::shared_ptr<const Session>> authenticate(std::string_view access_token) override {
    if (!looks_like(TokenKind::Access, access_token)) return refuse_malformed(access_token);
    const Digest digest = digest_of(access_token);
    const SessionCache::Moment moment{clock_.now(), clock_.steady_ms()};
    if (auto session = cache_.find(digest, moment)) return session;
    const std::uint64_t generation = cache_.generation(digest);
    CALLISTO_TRY(const LiveSession live, reader_.read([&](storage::Connection& connection) {
      return read_session(connection, digest, moment.now);
    }));
    cache_.insert(digest, live, moment, generation);
    return live.session;
  }

  Result<AuthorizationAnswer> check_authorization(const AuthorizationParameters&) override { return internal("later"); }
  Result<std::variant<std::int64_t, OAuthError>> check_password(const Authorization&, const std::string&,
                                                                const std::string&, const std::string&) override {
    return internal("later");
  }
  Result<std::optional<std::int64_t>> find_person_by_login(std::string_view) override { return internal("later"); }
  Result<std::optional<std::string>> issue_code(const Authorization&, std::int64_t, const std::string&) override {
    return internal("later");
  }

 private:
  const Options options_;
  const Clock& clock_;
  Reader reader_;
  Hasher hasher_;
  AttemptLimiter attempts_;
  SessionCache cache_;
  const GrantContext context_;
};

}  // namespace

Result<std::unique_ptr<Service>> Service::create(storage::Database& database, const Clock& clock, Random& random,
                                                 const Options& options, audit::Sink& audit) {
  CALLISTO_TRY(auto connection, database.connect_reader());
  return std::unique_ptr<Service>(
      std::make_unique<SignIn>(database, std::move(connection), clock, random, options, audit));
}

}  // namespace callisto::auth
