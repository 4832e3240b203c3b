#include "engine/auth/people/password_check.h"

#include "engine/auth/grants/oauth_error.h"
#include "engine/auth/person.h"
#include "engine/base/log.h"

namespace callisto::auth {

Result<std::variant<PasswordAttempt, OAuthError>> try_password(const GrantContext& context,
                                                               const std::string& login_name,
                                                               const std::string& password, SessionType type,
                                                               const std::string& address) {
  using Answer = std::variant<PasswordAttempt, OAuthError>;
  PasswordAttempt attempt;
  attempt.type = type;
  attempt.address = address;
  CALLISTO_CHECK(context.reader.read([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto person, find_person_by_login(connection, login_name));
    attempt.person = person ? person->ref : 0;
    attempt.network = network_digest(context.options.network_key, attempt.person, address);
    CALLISTO_TRY(attempt.record, read_password(connection, attempt.person));
    return {};
  }));
  const auto matches = context.hasher.verify(password, attempt.record.hash);
  if (!matches) return Answer(too_busy());
  attempt.matches = *matches;
  return Answer(std::move(attempt));
}

// Hashing took its time and others may have tried meanwhile, so everything is read again inside the transaction: of
// many guesses sent at once, none counts after the tenth from there.
Result<Verdict> judge(storage::Connection& connection, const GrantContext& context, const PasswordAttempt& attempt) {
  Verdict verdict;
  CALLISTO_TRY(verdict.guesses, read_guesses(connection, attempt.person, attempt.network));
  CALLISTO_TRY(const auto person, find_person(connection, attempt.person));
  const PasswordRecord& record = verdict.guesses.record;
  verdict.right = attempt.matches && record.person == attempt.record.person && record.hash == attempt.record.hash;
  verdict.locked = verdict.guesses.is_locked(context.clock.now());
  verdict.admitted = verdict.right && !verdict.locked && person && person->may_hold(attempt.type);
  return verdict;
}

Result<void> note_admitted(storage::Connection& connection, const GrantContext& context, const Verdict& verdict) {
  return note_success(connection, verdict.guesses, context.clock.now());
}

Result<void> note_refused(storage::Connection& connection, const GrantContext& context, const Verdict& verdict) {
  return note_refusal(connection, verdict.guesses, !verdict.right, context.clock.now());
}

void renew_password_hash(const GrantContext& context, const PasswordAttempt& attempt, const std::string& password) {
  const auto hash = context.hasher.rehash(password, attempt.record.hash);
  if (!hash) return;
  const auto kept = context.database.write(
      [&](storage::Connection& connection) { return renew_hash(connection, attempt.record, *hash); });
  if (!kept) log::warning("A password hash could not be renewed: " + kept.error().log_detail);
}

std::string reason_of(const PasswordAttempt& attempt, const Verdict& verdict) {
  if (attempt.person == 0) return "unknown login name";
  if (verdict.locked) return "locked after wrong guesses";
  return verdict.right ? "may not hold such a session" : "wrong password";
}

}  // namespace callisto::auth
