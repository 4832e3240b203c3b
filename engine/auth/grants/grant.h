// Grants: the ways to get tokens. Each has a file of its own, grant_<name>.cc, and one row in the table of login.cc.
// The Service lends them what all of them work with. Any thread.
#pragma once

#include "engine/audit/event.h"
#include "engine/auth/attempts.h"
#include "engine/auth/clients/client.h"
#include "engine/auth/password.h"
#include "engine/auth/reader.h"
#include "engine/auth/service.h"
#include "engine/auth/sessions/session_cache.h"
#include "engine/auth/sessions/session_store.h"

namespace callisto::auth {

struct GrantContext {
  storage::Database& database;
  Reader& reader;
  const Clock& clock;
  Random& random;
  const Options& options;
  Hasher& hasher;
  AttemptLimiter& attempts;
  TokenBuckets& refreshes;        // by session
  TokenBuckets& client_sign_ins;  // by client and address
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

// Whether the client and the person of a session may have tokens for it still.
Result<bool> may_continue(storage::Connection& connection, const StoredSession& session, const Client& client);

// What is known of who signs in; the caller adds what happened.
audit::Event audit_event(audit::Kind kind, const LoginRequest& request, const std::string& client_id);

// Reasons for the audit log.
constexpr const char* no_licence = "no licence is free";
constexpr const char* beyond_licences =
    "every licence is taken; the person has Administration and is let in beyond them";

// After the commit that opened a session: memory forgets those whose place it took, and the audit log is told of them.
void note_displaced(const GrantContext& context, const LoginRequest& request, const Client& client, std::int64_t person,
                    const OpenedSession& opened);

// Checks all of that and runs the grant.
Result<LoginAnswer> run_login(const GrantContext& context, const LoginRequest& request);

}  // namespace callisto::auth
