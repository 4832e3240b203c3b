// Signing in and checking tokens (API rules 6, 6.1). No HTTP here: forms in, answers out. Tokens
// are kept only as SHA-256 digests; plain ones exist in the answer alone. Safe from any thread.
//
// Invariants: a plain token or secret is never stored; a refused sign-in costs the same work whatever the reason.
#pragma once

#include "engine/audit/event.h"
#include "engine/auth/authorize.h"
#include "engine/auth/password.h"
#include "engine/auth/secrets.h"
#include "engine/auth/session.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <algorithm>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace callisto::auth {

struct Options {
  int access_seconds = 600;
  int refresh_seconds = 86400;
  int session_seconds = 30 * 86400;  // however often it is refreshed
  int code_seconds = 60;
  int attempts_per_minute = 60;  // from one address; 0: unlimited
  // Of one session, and of one client at one address signing in for itself. -1: as attempts_per_minute; 0: unlimited.
  int refreshes_per_minute = -1;
  int client_sign_ins_per_minute = -1;
  int licences = 0;             // 0: unlimited
  int licences_per_person = 0;  // 0: a quarter of them, at least 3
  int most_per_person() const { return licences_per_person > 0 ? licences_per_person : std::max(3, licences / 4); }
  bool caches = true;        // false: every request asks the database for its session
  ScryptCost password_cost;  // of new hashes; older ones are renewed at their next login
  std::string network_key;   // the same on every node: networks that people sign in from are kept as digests by it
  bool read_only = false;    // beside another program that has the desk: nothing is written, nobody signs in
  int sweep_ms = 5000;       // between two runs of sweep() on a thread of the service's own; 0: none runs
};

// A login form as it came: names folded to lower case; a name given twice stands in `repeated`.
struct LoginRequest {
  std::map<std::string, std::string> fields;
  std::optional<std::string> repeated;
  std::optional<std::string> basic_id, basic_secret;  // HTTP Basic, form-decoded
  std::optional<std::string> plain_id, plain_secret;  // and as they came, where that is something else
  std::string remote_address;
  // Of a code's session that a browser holds by a cookie: the secret in it. Empty: none does. Never from a form.
  std::string browser_key = {};
};

struct TokenPair {  // API rule 6.1
  std::string access_token, refresh_token, scope;
  int expires_in = 0;
};

struct OAuthError {  // API rule 6.1
  int status = 400;
  std::string error, description;
  int retry_after_seconds = 0;  // with 429
};

using LoginAnswer = std::variant<TokenPair, OAuthError>;

class Service {
 public:
  static Result<std::unique_ptr<Service>> create(storage::Database& database, const Clock& clock, Random& random,
                                                 const Options& options, audit::Sink& audit);
  virtual ~Service() = default;
  virtual Result<LoginAnswer> login(const LoginRequest& request) = 0;  // Error: the database failed
  // API rule 6.8; the access token that was sent along. Nothing: the session has ended.
  virtual Result<std::optional<OAuthError>> logout(const LoginRequest& request, std::string_view access_token) = 0;
  virtual Result<std::optional<OAuthError>> revoke(const LoginRequest& request) = 0;  // RFC 7009
  // The session of a live access token, from memory after its first use; 401 otherwise.
  virtual Result<std::shared_ptr<const Session>> authenticate(std::string_view access_token) = 0;
  // What such a person would see: a session that no token has and no table knows, with a number of its own below zero,
  // so that nothing is kept of it. Without a type: the viewer's, or else the one that the person may hold. Null: nobody
  // active has that login name and may hold it.
  virtual Result<std::shared_ptr<const Session>> view_as(const Session& viewer, const std::string& login_name,
                                                         std::optional<SessionType> type) = 0;

  // Sessions that a browser holds by a cookie (workbench): a new access token for the session of its secret, no refresh
  // token; invalid_grant where there is no such session any more.
  virtual Result<LoginAnswer> renew_in_browser(const std::string& browser_key) = 0;
  // Ends it; nothing where it had ended.
  virtual Result<void> end_in_browser(const std::string& browser_key, const std::string& remote_address) = 0;

  // For whoever changed their rows otherwise, after the commit: memory asks the database again.
  virtual void forget_session(std::int64_t session) = 0;
  virtual void forget_all() = 0;
  // Ends what has expired, takes away what is long dead, writes LastUsed.
  virtual Result<void> sweep() = 0;

  // Codes for browsers. The order of a sign-in: check the request, find out who it is, issue the code.
  virtual Result<AuthorizationAnswer> check_authorization(const AuthorizationParameters& parameters) = 0;
  // Who has that login name and password and may hold such a session; the refusals, locks and times of the password
  // grant (sign_in_refused, too_many_attempts, too_busy).
  virtual Result<std::variant<std::int64_t, OAuthError>> check_password(const Authorization& authorization,
                                                                        const std::string& login_name,
                                                                        const std::string& password,
                                                                        const std::string& remote_address) = 0;
  // For ways to sign in that hash nothing but cost as much: 0, or the seconds after which the address may try again.
  virtual int take_attempt(const std::string& remote_address) = 0;
  // The active person of a login name that somebody trusted vouches for (a proxy, an identity provider).
  virtual Result<std::optional<std::int64_t>> find_person_by_login(std::string_view login_name) = 0;
  // The same where an identity provider vouches: by the link that an earlier time made, else by login name.
  virtual Result<std::optional<std::int64_t>> find_person_by_identity(const std::string& issuer,
                                                                      const std::string& subject,
                                                                      const std::string& login_name) = 0;
  // A code for the person, once, for Options::code_seconds; nothing where the person may not hold such a session.
  virtual Result<std::optional<std::string>> issue_code(const Authorization& authorization, std::int64_t person,
                                                        const std::string& remote_address) = 0;

  // How often each rate was met since the start, by its name.
  virtual std::vector<std::pair<std::string, std::uint64_t>> rates_met() const { return {}; }

  virtual Secrets& secrets() = 0;  // alive as long as this
};

}  // namespace callisto::auth
