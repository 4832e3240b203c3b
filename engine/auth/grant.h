// Grants: the ways to get tokens. Each has a file of its own, grant_<name>.cc, and one row in the table of login.cc.
// What all of them work with is lent to them by the Service. Safe from any thread.
#pragma once

#include "engine/audit/event.h"
#include "engine/auth/attempts.h"
#include "engine/auth/client.h"
#include "engine/auth/password.h"
#include "engine/auth/reader.h"
#include "engine/auth/service.h"
#include "engine/auth/session_cache.h"

namespace callisto::auth {

struct GrantContext {
  storage::Database& database;
  Reader& reader;
  const Clock& clock;
  Random& random;
  const Options& options;
  Hasher& hasher;
  AttemptLimiter& attempts;
  KnownAddresses& known_addresses;
  SessionCache& cache;
  audit::Sink& audit;
};

// The client is authenticated and has the grant, the fields that the grant requires are there, `scope` (where it stands
// there) is one that the client may ask for.
Result<LoginAnswer> grant_password(const GrantContext& context, const Client& client, const LoginRequest& request);
Result<LoginAnswer> grant_refresh(const GrantContext& context, const Client& client, const LoginRequest& request);
Result<LoginAnswer> grant_client_credentials(const GrantContext& context, const Client& client,
                                             const LoginRequest& request);
Result<LoginAnswer> grant_authorization_code(const GrantContext& context, const Client& client,
                                             const LoginRequest& request);

// What is known of who signs in; the caller adds what happened.
audit::Event audit_event(audit::Kind kind, const LoginRequest& request, const std::string& client_id);

// Checks all of that and runs the grant.
Result<LoginAnswer> run_login(const GrantContext& context, const LoginRequest& request);

}  // namespace callisto::auth
