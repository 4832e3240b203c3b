// grant_type=password: RFC 6749 4.3, decisions.md 6.3.
#include "engine/auth/form.h"
#include "engine/auth/grant.h"
#include "engine/auth/oauth_error.h"
#include "engine/auth/password_record.h"
#include "engine/auth/person.h"
#include "engine/auth/session_store.h"
#include "engine/base/log.h"

namespace callisto::auth {

namespace {

struct Attempt {
  NewSession session;     // of the named person; of 0 where nobody has that name
  PasswordRecord record;  // as it was before hashing
  bool matches = false;
};

Result<Attempt> look_up(storage::Connection& connection, const std::string& login_name) {
  CALLISTO_TRY(const auto person, find_person_by_login(connection, login_name));
  Attempt attempt;
  attempt.session.person = person ? person->ref : 0;
  CALLISTO_TRY(attempt.record, read_password(connection, *attempt.session.person));
  return attempt;
}

struct Settled {
  std::optional<std::int64_t> session;  // nothing: refused
  std::string reason;                   // for the audit log alone: a client is told one text for all of them
};

std::string why_refused(const Attempt& attempt, const PasswordRecord& record, bool right, DateTime now) {
  if (*attempt.session.person == 0) return "unknown login name";
  if (record.is_locked(now)) return "locked after wrong guesses";
  return right ? "may not hold such a session" : "wrong password";
}

// Hashing took its time and others may have tried meanwhile, so everything is read again inside the transaction: of
// many guesses sent at once, none counts after the tenth.
Result<Settled> settle(storage::Connection& connection, const GrantContext& context, const Attempt& attempt,
                       const NewTokens& tokens) {
  const DateTime now = context.clock.now();
  CALLISTO_TRY(const auto record, read_password(connection, *attempt.session.person));
  CALLISTO_TRY(const auto person, find_person(connection, *attempt.session.person));
  const bool right = attempt.matches && record.person == attempt.record.person && record.hash == attempt.record.hash;
  std::string reason = why_refused(attempt, record, right, now);
  if (right && !record.is_locked(now) && person && person->may_hold(attempt.session.type)) {
    CALLISTO_TRY(const auto session, open_session(connection, attempt.session, context.options, now));
    if (session) {
      CALLISTO_CHECK(note_success(connection, record));
      CALLISTO_CHECK(store_tokens(connection, *session, attempt.session.client_id, tokens, context.options, now));
      return Settled{session, {}};
    }
    reason = "no licence is free";
  }
  CALLISTO_CHECK(note_refusal(connection, record, !right, now));
  return Settled{{}, std::move(reason)};
}

void note_attempt(const GrantContext& context, const LoginRequest& request, const Attempt& attempt,
                  const Settled& settled) {
  audit::Event event = audit_event(settled.session ? audit::Kind::SignIn : audit::Kind::SignInRefused, request,
                                   attempt.session.client_id);
  if (*attempt.session.person != 0) event.person = attempt.session.person;
  else event.login = field(request, "username");
  event.session = settled.session;
  event.action = "password";
  event.reason = settled.reason;
  context.audit.note(event);
}

// Only after a sign-in that succeeded: earlier, the time of a second hash would tell a right password.
void renew(const GrantContext& context, const PasswordRecord& record, const std::string& password) {
  const auto hash = context.hasher.rehash(password, record.hash);
  if (!hash) return;
  const auto kept =
      context.database.write([&](storage::Connection& connection) { return renew_hash(connection, record, *hash); });
  if (!kept) log::warning("A password hash could not be renewed: " + kept.error().log_detail);
}

}  // namespace

// RFC 6749 4.3.2: "The authorization server MUST: require client authentication for confidential clients ...,
// authenticate the client if client authentication is included, and validate the resource owner password credentials
// using its existing password validation algorithm." The first two are done when this is called.
Result<LoginAnswer> grant_password(const GrantContext& context, const Client& client, const LoginRequest& request) {
  const std::string login_name = field(request, "username");
  const std::string password = field(request, "password");
  const auto type = read_scope(field(request, "scope"));
  if (!type) return LoginAnswer(invalid_request("The field scope is missing."));

  CALLISTO_TRY(Attempt attempt,
               context.reader.read([&](storage::Connection& connection) { return look_up(connection, login_name); }));
  attempt.session.client_id = client.id;
  attempt.session.type = *type;
  attempt.session.address = request.remote_address;
  const auto matches = context.hasher.verify(password, attempt.record.hash);
  if (!matches) return LoginAnswer(too_busy());
  attempt.matches = *matches;

  const NewTokens tokens(context.random);
  Settled settled;
  CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(settled, settle(connection, context, attempt, tokens));
    return {};
  }));
  note_attempt(context, request, attempt, settled);
  if (!settled.session) return LoginAnswer(sign_in_refused());
  renew(context, attempt.record, password);
  return LoginAnswer(tokens.answer(*type, context.options));
}

}  // namespace callisto::auth
