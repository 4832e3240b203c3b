// grant_type=password: RFC 6749 4.3, API rule 6.3.
#include "engine/auth/form.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/people/password_check.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/auth/sessions/token_store.h"

namespace callisto::auth {

namespace {

struct Settled {
  std::optional<OpenedSession> session;  // nothing: refused
  std::string reason;                    // for the audit log alone: a client is told one text for all of them
  int seconds = 0;                       // of the access token
};

Result<Settled> settle(storage::Connection& connection, const GrantContext& context, const Client& client,
                       const PasswordAttempt& attempt, const NewTokens& tokens) {
  const DateTime now = context.clock.now();
  CALLISTO_TRY(const Verdict verdict, judge(connection, context, attempt));
  std::string reason = reason_of(attempt, verdict);
  if (verdict.admitted) {
    CALLISTO_TRY(auto session, open_session(connection, {attempt.person, client.ref, attempt.type, attempt.address},
                                            context.options, {now, context.random}));
    if (session) {
      CALLISTO_CHECK(note_admitted(connection, context, verdict));
      CALLISTO_TRY(const int seconds, store_tokens(connection, session->id, tokens, context.options, now));
      return Settled{std::move(session), {}, seconds};
    }
    reason = no_licence;
  }
  CALLISTO_CHECK(note_refused(connection, context, verdict));
  return Settled{{}, std::move(reason), 0};
}

void note_attempt(const GrantContext& context, const LoginRequest& request, const Client& client,
                  const PasswordAttempt& attempt, const Settled& settled) {
  audit::Event event =
      audit_event(settled.session ? audit::Kind::SignIn : audit::Kind::SignInRefused, request, client.id);
  if (attempt.person != 0) event.person = attempt.person;
  else event.login = field(request, "username");
  if (settled.session) event.session = settled.session->id;
  event.action = "password";
  event.reason = settled.session && settled.session->beyond ? beyond_licences : settled.reason;
  context.audit.note(event);
  if (settled.session) note_displaced(context, request, client, attempt.person, *settled.session);
}

}  // namespace

// RFC 6749 4.3.2: "The authorization server MUST: require client authentication for confidential clients ...,
// authenticate the client if client authentication is included, and validate the resource owner password credentials
// using its existing password validation algorithm." The first two are done when this is called.
Result<LoginAnswer> grant_password(const GrantContext& context, const Client& client, const LoginRequest& request) {
  const std::string password = field(request, "password");
  const auto type = read_scope(field(request, "scope"));
  if (!type) return LoginAnswer(invalid_request("The field scope is missing."));
  CALLISTO_TRY(const auto tried,
               try_password(context, field(request, "username"), password, *type, request.remote_address));
  if (const auto* error = std::get_if<OAuthError>(&tried)) return LoginAnswer(*error);
  const auto& attempt = std::get<PasswordAttempt>(tried);

  const NewTokens tokens(context.random);
  Settled settled;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(settled, settle(connection, context, client, attempt, tokens));
    return {};
  }));
  note_attempt(context, request, client, attempt, settled);
  if (!settled.session) return LoginAnswer(sign_in_refused());
  renew_password_hash(context, attempt, password);
  return LoginAnswer(tokens.answer(*type, settled.seconds));
}

}  // namespace callisto::auth
