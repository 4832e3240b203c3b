// grant_type=refresh_token: RFC 6749 6, rotation and theft as decisions.md 6.4 has them.
#include "engine/auth/form.h"
#include "engine/auth/grant.h"
#include "engine/auth/oauth_error.h"
#include "engine/auth/person.h"
#include "engine/auth/session_store.h"
#include "engine/base/log.h"

namespace callisto::auth {

namespace {

constexpr std::int64_t race_ms = 10'000;

struct RefreshToken {
  std::string hash;
  std::int64_t session = 0;
  std::string client_id;
  bool used = false, successor_unused = false;
  DateTime used_at, expires;
  std::optional<std::int64_t> person;
  SessionType type = SessionType::User;
  bool session_ended = false;
};

enum class Verdict { Rotate, Refuse, Theft };

Result<std::optional<RefreshToken>> find_token(storage::Connection& connection, const std::string& hash, DateTime now) {
  static const Sql sql(
      "SELECT t.session, t.client_id, t.state, t.used_at, t.expires_at, n.state, "
      "s.person, s.session_type, s.expires_at, s.ended_at "
      "FROM refresh_token t JOIN session s ON s.id = t.session LEFT JOIN refresh_token n ON n.hash = t.successor "
      "WHERE t.hash = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(hash)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<RefreshToken>();
  RefreshToken token;
  token.hash = hash;
  token.session = row->integer(0);
  token.client_id = row->text(1);
  token.used = row->text(2) != "A";
  if (token.used) token.used_at.ms = row->integer(3);
  token.expires.ms = row->integer(4);
  token.successor_unused = !row->is_null(5) && row->text(5) == "A";
  if (!row->is_null(6)) token.person = row->integer(6);
  token.type = session_type(row->text(7)).value_or(SessionType::User);
  token.session_ended = !row->is_null(9) || row->integer(8) <= now.ms;
  return std::optional(std::move(token));
}

// RFC 6749 6: "the refresh token is bound to the client to which it was issued." RFC 9700 4.14.2: of a token used twice
// the server cannot tell which use was the thief's, so the whole grant ends; but a client whose answer was lost repeats
// at once.
Verdict judge(const RefreshToken& token, const Client& client, DateTime now) {
  if (token.session_ended || token.expires <= now) return Verdict::Refuse;
  const bool own = token.client_id == client.id;
  if (!token.used) return own ? Verdict::Rotate : Verdict::Refuse;
  const bool race = own && token.successor_unused && now.ms - token.used_at.ms <= race_ms;
  return race ? Verdict::Refuse : Verdict::Theft;
}

Result<bool> may_continue(storage::Connection& connection, const RefreshToken& token, const Client& client) {
  if (client.only && *client.only != token.type) return false;
  if (!token.person) return true;
  CALLISTO_TRY(const auto person, find_person(connection, *token.person));
  return person && person->may_hold(token.type);
}

// One conditional update decides: of all who hold the token, one changes the row.
Result<bool> rotate(storage::Connection& connection, const GrantContext& context, const RefreshToken& token,
                    const NewTokens& tokens, DateTime now) {
  static const Sql sql(
      "UPDATE refresh_token SET state = 'U', used_at = ?2, successor = ?3 "
      "WHERE hash = ?1 AND state = 'A' AND expires_at > ?2");
  CALLISTO_TRY(const auto changed,
               connection.execute(sql, {Value(token.hash), Value(now), Value(stored(digest_of(tokens.refresh)))}));
  if (changed != 1) return false;
  CALLISTO_CHECK(extend_session(connection, token.session, context.options, now));
  CALLISTO_CHECK(store_tokens(connection, token.session, token.client_id, tokens, context.options, now));
  return true;
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
  CALLISTO_TRY(const auto token, find_token(connection, stored(digest_of(field(request, "refresh_token"))), now));
  if (!token) return outcome;
  const Verdict verdict = judge(*token, client, now);
  if (verdict == Verdict::Theft) {
    CALLISTO_CHECK(end_session(connection, token->session, now));
    outcome.ended = token->session;
    outcome.person = token->person;
  }
  if (verdict != Verdict::Rotate) return outcome;
  // RFC 6749 6: "The requested scope MUST NOT include any scope not originally granted by the resource owner".
  const std::string scope = field(request, "scope");
  if (!scope.empty() && scope != scope_of(token->type)) {
    outcome.answer = invalid_scope("The refresh token belongs to a session of another type.");
    return outcome;
  }
  CALLISTO_TRY(const bool allowed, may_continue(connection, *token, client));
  if (!allowed) return outcome;
  CALLISTO_TRY(const bool rotated, rotate(connection, context, *token, tokens, now));
  if (rotated) outcome.answer = tokens.answer(token->type, context.options);
  return outcome;
}

}  // namespace

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
