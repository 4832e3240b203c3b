#include "engine/auth/clients/secret_store.h"

#include "engine/auth/admin.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/base/text.h"

namespace callisto::auth {

namespace {

constexpr std::string_view person_entity = "person";
constexpr std::string_view client_entity = "client";

Error too_many() { return unavailable("Too many secrets are being checked at this moment. Try again.", 1); }

audit::Event refusal(std::optional<std::int64_t> person, const Session& session, std::string_view action) {
  audit::Event event;
  event.kind = audit::Kind::SignInRefused;
  event.person = person;
  event.client = session.client_id;
  event.session = session.id;
  event.action = action;
  return event;
}

}  // namespace

Result<void> SecretStore::admit(const Session& session, std::string_view action) {
  if (session.may("Administration")) return {};
  const std::string who =  // no address has a blank
      session.person ? "person " + std::to_string(*session.person) : "client " + session.client_id;
  const int wait = context_.attempts.take(who, context_.clock.steady_ms());
  if (wait == 0) return {};
  audit::Event event = refusal(session.person, session, action);
  event.reason = "too many attempts";
  context_.audit.note(event);
  return too_many_requests("You have set or tried secrets too often. Wait a little.", wait);
}

Result<std::string> SecretStore::hash(std::string_view secret) {
  if (text::length(secret) < shortest_secret)
    return bad_format("must have at least " + std::to_string(shortest_secret) + " characters");
  const auto hash = context_.hasher.make(secret);
  if (!hash) return too_many();
  return hash->text();
}

Result<Guess> SecretStore::compare(std::string_view entity, std::int64_t key, std::string_view secret) {
  if (entity != person_entity) return Guess();
  CALLISTO_TRY(PasswordRecord record,
               context_.reader.read([&](storage::Connection& connection) { return read_password(connection, key); }));
  const auto matches = context_.hasher.verify(secret, record.hash);
  if (!matches) return too_many();
  return Guess{*matches, std::move(record.hash)};
}

// A session guesses where it was opened.
Result<Guesses> SecretStore::guesses_of(storage::Connection& connection, const Session& session,
                                        std::int64_t person) const {
  CALLISTO_TRY(const auto opened, find_session(connection, session.id));
  const std::string address = opened ? opened->address : std::string();
  return read_guesses(connection, person, network_digest(context_.options.network_key, person, address));
}

Result<bool> SecretStore::judge(storage::Connection& connection, const Session& session, std::string_view entity,
                                std::int64_t key, const Guess& guess) {
  if (entity != person_entity) return false;
  CALLISTO_TRY(const Guesses guesses, guesses_of(connection, session, key));
  return guess.matches && guess.hash == guesses.record.hash && !guesses.is_locked(context_.clock.now());
}

Result<void> SecretStore::note_wrong_guess(std::string_view entity, std::int64_t key, const Session& session,
                                           std::string_view action) {
  if (entity != person_entity) return {};
  bool was_locked = false;
  CALLISTO_CHECK(context_.database.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const Guesses guesses, guesses_of(connection, session, key));
    was_locked = guesses.is_locked(context_.clock.now());
    return note_refusal(connection, guesses, true, context_.clock.now());
  }));
  audit::Event event = refusal(key, session, action);
  event.reason = was_locked ? "locked after wrong guesses" : "wrong password";
  context_.audit.note(event);
  return {};
}

Result<void> SecretStore::keep(storage::Connection& connection, std::string_view entity, std::int64_t key,
                               const std::string& hash) {
  if (entity == person_entity) return put_password_hash(connection, key, hash);
  if (entity == client_entity) return put_client_secret(connection, key, hash);
  return internal("records of " + std::string(entity) + " have no secret");
}

}  // namespace callisto::auth
