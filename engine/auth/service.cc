#include "engine/auth/service.h"

#include "engine/auth/clients/secret_store.h"
#include "engine/auth/grants/authorize_steps.h"
#include "engine/auth/grants/browser.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/people/access_check.h"
#include "engine/auth/people/guesses.h"
#include "engine/auth/people/identity_link.h"
#include "engine/auth/sessions/last_use.h"
#include "engine/auth/sessions/licence.h"
#include "engine/auth/sessions/logout.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/base/log.h"
#include "engine/base/ticker.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <utility>

namespace callisto::auth {

namespace {

constexpr std::int64_t recount_ms = 3600 * 1000;
constexpr std::int64_t minute_ms = 60'000;
constexpr int usual_rate = 60;

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
        refreshes_(or_attempts(options.refreshes_per_minute), minute_ms),
        client_sign_ins_(or_attempts(options.client_sign_ins_per_minute), minute_ms),
        context_{database,   reader_,          clock,  random, options_, hasher_, attempts_,
                 refreshes_, client_sign_ins_, cache_, audit} {}

  Result<void> start() {
    if (options_.read_only) return {};
    CALLISTO_CHECK(context_.database.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_CHECK(set_licences(connection, options_.licences));
      CALLISTO_CHECK(adopt_old_links(connection, {clock_.now(), context_.random}));
      CALLISTO_CHECK(cut_stamps_ahead(connection, options_, clock_.now()));
      return recount(connection);
    }));
    if (options_.sweep_ms > 0)
      sweeper_ = std::make_unique<Ticker>(std::chrono::milliseconds(options_.sweep_ms), [this] {
        if (const auto done = sweep(); !done) log::error("The sweep of sessions failed: " + done.error().log_detail);
      });
    return {};
  }

  Result<LoginAnswer> login(const LoginRequest& request) override { return run_login(context_, request); }
  Result<std::optional<OAuthError>> logout(const LoginRequest& request, std::string_view access_token) override {
    return log_out(context_, request, access_token);
  }
  Result<std::optional<OAuthError>> revoke(const LoginRequest& request) override {
    return revoke_token(context_, request);
  }

  Result<LoginAnswer> renew_in_browser(const std::string& browser_key) override {
    return auth::renew_in_browser(context_, browser_key);
  }
  Result<void> end_in_browser(const std::string& browser_key, const std::string& remote_address) override {
    return auth::end_in_browser(context_, browser_key, remote_address);
  }

  Result<std::shared_ptr<const Session>> authenticate(std::string_view access_token) override {
    if (!looks_like(TokenKind::Access, access_token)) return refuse_malformed(access_token);
    const Digest digest = digest_of(access_token);
    const SessionCache::Moment moment{clock_.now(), clock_.steady_ms()};
    if (auto session = options_.caches ? cache_.find(digest, moment) : nullptr) return session;
    const std::uint64_t generation = cache_.generation(digest);
    CALLISTO_TRY(const LiveSession live, reader_.read([&](storage::Connection& connection) {
      return read_session(connection, digest, moment.now);
    }));
    cache_.insert(digest, live, moment, generation);
    last_use_.note(live.session->id, moment.now);  // memory asks again each second: that is often enough
    return live.session;
  }

  Result<std::shared_ptr<const Session>> view_as(const Session& viewer, const std::string& login_name,
                                                 std::optional<SessionType> type) override {
    return reader_.read([&](storage::Connection& connection) -> Result<std::shared_ptr<const Session>> {
      CALLISTO_TRY(auto seen, read_view(connection, viewer, login_name, type));
      if (!seen) return std::shared_ptr<const Session>();
      seen->id = views_.fetch_sub(1);
      return std::make_shared<const Session>(*std::move(seen));
    });
  }

  void forget_session(std::int64_t session) override { cache_.forget(session); }
  void forget_all() override { cache_.forget_all(); }

  Result<void> sweep() override {
    const DateTime now = clock_.now();
    const auto used = last_use_.take_due(now);
    const bool counts = clock_.steady_ms() - recounted_at_ >= recount_ms;
    return context_.database.write([&](storage::Connection& connection) -> Result<void> {
      for (const auto& [session, time] : used) CALLISTO_CHECK(write_last_used(connection, session, time));
      CALLISTO_CHECK(cut_stamps_ahead(connection, options_, now));
      CALLISTO_CHECK(end_expired_sessions(connection, now));
      CALLISTO_CHECK(remove_dead_rows(connection, now));
      return counts ? recount(connection) : Result<void>();
    });
  }

  Result<AuthorizationAnswer> check_authorization(const AuthorizationParameters& parameters) override {
    return auth::check_authorization(context_, parameters);
  }
  Result<std::variant<std::int64_t, OAuthError>> check_password(const Authorization& authorization,
                                                                const std::string& login_name,
                                                                const std::string& password,
                                                                const std::string& remote_address) override {
    return auth::check_password(context_, authorization, login_name, password, remote_address);
  }
  int take_attempt(const std::string& remote_address) override {
    return attempts_.take(remote_address, context_.clock.steady_ms());
  }
  Result<std::optional<std::int64_t>> find_person_by_login(std::string_view login_name) override {
    return find_active_person(context_, login_name);
  }
  Result<std::optional<std::int64_t>> find_person_by_identity(const std::string& issuer, const std::string& subject,
                                                              const std::string& login_name) override {
    return find_linked_person(context_, issuer, subject, login_name);
  }
  Result<std::optional<std::string>> issue_code(const Authorization& authorization, std::int64_t person,
                                                const std::string& remote_address) override {
    return auth::issue_code(context_, authorization, person, remote_address);
  }

  std::vector<std::pair<std::string, std::uint64_t>> rates_met() const override {
    return {{"sign_in_attempts", attempts_.refused()},
            {"refreshes", refreshes_.refused()},
            {"client_sign_ins", client_sign_ins_.refused()}};
  }

  Secrets& secrets() override { return secrets_; }

 private:
  // Who raises that one wants to sign in often; who lowers it fears guesses, which these are not.
  int or_attempts(int rate) const {
    if (rate >= 0 || options_.attempts_per_minute <= 0) return std::max(rate, 0);
    return std::max(usual_rate, options_.attempts_per_minute);
  }

  // In the transaction of its caller.
  Result<void> recount(storage::Connection& connection) {
    recounted_at_ = clock_.steady_ms();
    CALLISTO_TRY(const bool was_wrong, recount_licences(connection));
    if (was_wrong) log::warning("The count of used licences was wrong and has been corrected.");
    return remove_old_guesses(connection, clock_.now());
  }

  const Options options_;
  const Clock& clock_;
  Reader reader_;
  Hasher hasher_;
  AttemptLimiter attempts_;
  TokenBuckets refreshes_, client_sign_ins_;
  SessionCache cache_;
  LastUse last_use_;
  std::atomic<std::int64_t> recounted_at_ = 0;
  std::atomic<std::int64_t> views_ = -1;  // the number of the next one
  const GrantContext context_;
  SecretStore secrets_{context_};
  std::unique_ptr<Ticker> sweeper_;  // last: it goes first
};

}  // namespace

Result<std::unique_ptr<Service>> Service::create(storage::Database& database, const Clock& clock, Random& random,
                                                 const Options& options, audit::Sink& audit) {
  CALLISTO_TRY(auto connection, database.connect_reader());
  auto service = std::make_unique<SignIn>(database, std::move(connection), clock, random, options, audit);
  CALLISTO_CHECK(service->start());
  return std::unique_ptr<Service>(std::move(service));
}

}  // namespace callisto::auth
