// grant_type=client_credentials: RFC 6749 4.4, API rule 6.6. A session without a person.
#include "engine/auth/form.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/auth/sessions/token_store.h"

namespace callisto::auth {

// RFC 6749 4.4: "The client credentials grant type MUST only be used by confidential clients."
Result<LoginAnswer> grant_client_credentials(const GrantContext& context, const Client& client,
                                             const LoginRequest& request) {
  if (!client.secret_hash) return LoginAnswer(unauthorized_client());
  if (read_scope(field(request, "scope")) != SessionType::User)
    return LoginAnswer(invalid_scope("A client that signs in for itself may ask for session-type:User only."));
  // Each opens a session, which stays for a day: a token is good for many requests.
  const int wait =
      context.client_sign_ins.take(client.id + " " + address_group(request.remote_address), context.clock.steady_ms());
  if (wait > 0) {
    audit::Event event = audit_event(audit::Kind::SignInRefused, request, client.id);
    event.action = "client_credentials";
    event.reason = "too many sign-ins of this client from this address";
    context.audit.note(event);
    return LoginAnswer(too_many_tokens(wait));
  }
  const NewTokens tokens(context.random);
  std::optional<OpenedSession> opened;
  int seconds = 0;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    const DateTime now = context.clock.now();
    CALLISTO_TRY(opened, open_session(connection, {std::nullopt, client.ref, SessionType::User, request.remote_address},
                                      context.options, {now, context.random}));
    if (!opened) return {};
    CALLISTO_TRY(seconds, store_tokens(connection, opened->id, tokens, context.options, now));
    return {};
  }));
  audit::Event event = audit_event(opened ? audit::Kind::SignIn : audit::Kind::SignInRefused, request, client.id);
  event.action = "client_credentials";
  if (opened) event.session = opened->id;
  if (!opened) event.reason = no_licence;
  context.audit.note(event);
  if (!opened) return LoginAnswer(sign_in_refused());
  return LoginAnswer(tokens.answer(SessionType::User, seconds));
}

}  // namespace callisto::auth
