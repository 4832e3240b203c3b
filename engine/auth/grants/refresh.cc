// grant_type=refresh_token: RFC 6749 6, rotation and theft as API rule 6.4 has them.
#include "engine/auth/form.h"
#include "engine/auth/grants/grant.h"
#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/person.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/auth/sessions/token_store.h"
#include "engine/base/log.h"

#include <cstdlib>

namespace callisto::auth {

namespace {

constexpr std::int64_t race_ms = 10'000;

enum class Use { Rotate, Refuse, Theft };

// RFC 6749 6: "the refresh token is bound to the client to which it was issued." RFC 9700 4.14.2: of a token used twice
// the server cannot tell which use was the thief's, so the whole grant ends; but a client whose answer was lost repeats
// at once.
Use judge_use(const RefreshToken& token, const StoredSession& session, const Client& client, const Options& options,
              DateTime now) {
  if (!session.lives(now) || token.expires <= now) return Use::Refuse;
  if (session_end(options, session.created, now) <= now) return Use::Refuse;  // session_seconds was more at that time
  const bool own = session.client == client.ref;
  if (!token.used) return own ? Use::Rotate : Use::Refuse;
  const bool race = own && token.successor_unused && std::abs(now.ms - token.used_at.ms) <= race_ms;
  return race ? Use::Refuse : Use::Theft;
}

struct Outcome {
  LoginAnswer answer = refresh_refused();
  std::optional<std::int64_t> ended;   // the session that a thief shared
  std::optional<std::int64_t> person;  // whose it was
};

Result<Outcome> use_token(storage::Connection& connection, const GrantContext& context, const Client& client,
                          const LoginRequest& request, const NewTokens& tokens) {
  const DateTime now = context.clock.now();
  Outcome outcome;
  CALLISTO_TRY(const auto token, find_refresh_token(connection, digest_of(field(request, "refresh_token"))));
  if (!token) return outcome;
  CALLISTO_TRY(const auto session, find_session(connection, token->session));
  if (!session) return outcome;
  const Use use = judge_use(*token, *session, client, context.options, now);
  if (use == Use::Theft) {
    CALLISTO_CHECK(end_session(connection, session->id, now));
    outcome.ended = session->id;
    outcome.person = session->person;
  }
  if (use != Use::Rotate) return outcome;
  // RFC 6749 6: "The requested scope MUST NOT include any scope not originally granted by the resource owner".
  const std::string scope = field(request, "scope");
  if (!scope.empty() && scope != scope_of(session->type)) {
    outcome.answer = invalid_scope("The refresh token belongs to a session of another type.");
    return outcome;
  }
  CALLISTO_TRY(const bool allowed, may_continue(connection, *session, client));
  if (!allowed) return outcome;
  // API rules 6: renewing early is allowed "but must not be done with every request": each leaves rows for a day.
  const int wait = context.refreshes.take(std::to_string(session->id), context.clock.steady_ms());
  if (wait > 0) {
    outcome.answer = too_many_tokens(wait);
    return outcome;
  }
  CALLISTO_TRY(const bool spent, spend_refresh_token(connection, *token, tokens, now));
  if (!spent) return outcome;
  CALLISTO_CHECK(extend_session(connection, *session, context.options, now));
  CALLISTO_TRY(const int seconds, store_tokens(connection, session->id, tokens, context.options, now));
  outcome.answer = tokens.answer(session->type, seconds);
  return outcome;
}

}  // namespace

Result<bool> may_continue(storage::Connection& connection, const StoredSession& session, const Client& client) {
  if (client.only && *client.only != session.type) return false;
  if (!session.person) return true;
  CALLISTO_TRY(const auto person, find_person(connection, *session.person));
  return person && person->may_hold(session.type);
}

Result<LoginAnswer> grant_refresh(const GrantContext& context, const Client& client, const LoginRequest& request) {
  if (!looks_like(TokenKind::Refresh, field(request, "refresh_token"))) return LoginAnswer(refresh_refused());
  const NewTokens tokens(context.random);
  Outcome outcome;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(outcome, use_token(connection, context, client, request, tokens));
    return {};
  }));
  if (outcome.ended) {
    context.cache.forget(*outcome.ended);
    audit::Event event = audit_event(audit::Kind::RefreshReuse, request, client.id);
    event.person = outcome.person;
    event.session = outcome.ended;
    event.token = field(request, "refresh_token");
    event.reason = "a spent refresh token was used again; the session was ended";
    context.audit.note(event);
    log::warning("A spent refresh token was used again; session " + std::to_string(*outcome.ended) + " was ended.");
  }
  return outcome.answer;
}

}  // namespace callisto::auth
