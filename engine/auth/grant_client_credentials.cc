// grant_type=client_credentials: RFC 6749 4.4, decisions.md 6.6. A session without a person.
#include "engine/auth/form.h"
#include "engine/auth/grant.h"
#include "engine/auth/oauth_error.h"
#include "engine/auth/session_store.h"
#include "engine/auth/token_store.h"

namespace callisto::auth {

// RFC 6749 4.4: "The client credentials grant type MUST only be used by confidential clients."
Result<LoginAnswer> grant_client_credentials(const GrantContext& context, const Client& client,
                                             const LoginRequest& request) {
  if (!client.secret_hash) return LoginAnswer(unauthorized_client());
  if (read_scope(field(request, "scope")) != SessionType::User)
    return LoginAnswer(invalid_scope("A client that signs in for itself may ask for session-type:User only."));
  const NewTokens tokens(context.random);
  std::optional<std::int64_t> opened;
  int seconds = 0;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    const DateTime now = context.clock.now();
    CALLISTO_TRY(const auto session,
                 open_session(connection, {std::nullopt, client.ref, SessionType::User, request.remote_address},
                              context.options, {now, context.random}));
    opened = session;
    if (!session) return {};
    CALLISTO_TRY(seconds, store_tokens(connection, *session, tokens, context.options, now));
    return {};
  }));
  audit::Event event = audit_event(opened ? audit::Kind::SignIn : audit::Kind::SignInRefused, request, client.id);
  event.action = "client_credentials";
  event.session = opened;
  if (!opened) event.reason = "no licence is free";
  context.audit.note(event);
  if (!opened) return LoginAnswer(sign_in_refused());
  return LoginAnswer(tokens.answer(SessionType::User, seconds));
}

}  // namespace callisto::auth
