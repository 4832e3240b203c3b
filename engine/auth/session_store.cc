#include "engine/auth/session_store.h"

#include "engine/storage/ids.h"

namespace callisto::auth {

namespace {

constexpr std::int64_t kept_after_expiry_ms = 3600 * 1000;

DateTime after(DateTime now, int seconds) { return DateTime{now.ms + std::int64_t{1000} * seconds}; }

// Decisions.md 6.7: a session holds a licence until logout, expiry or an administrator's end. The holders are counted,
// so that none can be lost or freed twice.
Result<bool> is_licence_free(storage::Connection& connection, int licences, DateTime now) {
  static const Sql sql("SELECT COUNT(*) FROM session WHERE expires_at > ?1 AND ended_at IS NULL");
  if (licences <= 0) return true;
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(now)}));
  CALLISTO_TRY(const bool found, row->step());
  return found && row->integer(0) < licences;
}

// What expired an hour ago has no answer left to give; each writer takes away what has gathered since the last.
Result<void> remove_expired(storage::Connection& connection, DateTime now) {
  static const Sql statements[] = {Sql("DELETE FROM access_token WHERE expires_at <= ?1"),
                                   Sql("DELETE FROM refresh_token WHERE expires_at <= ?1"),
                                   Sql("DELETE FROM session WHERE expires_at <= ?1")};
  for (const Sql& sql : statements)
    CALLISTO_CHECK(connection.execute(sql, {Value(DateTime{now.ms - kept_after_expiry_ms})}));
  return {};
}

}  // namespace

NewTokens::NewTokens(Random& random)
    : access(make_token(TokenKind::Access, random)), refresh(make_token(TokenKind::Refresh, random)) {}

TokenPair NewTokens::answer(SessionType type, const Options& options) const {
  return {access, refresh, scope_of(type), options.access_seconds};
}

Result<std::optional<std::int64_t>> open_session(storage::Connection& connection, const NewSession& session,
                                                 const Options& options, DateTime now) {
  static const Sql sql(
      "INSERT INTO session (id, person, client_id, session_type, created_at, last_used, expires_at, address) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?5, ?6, ?7)");
  CALLISTO_CHECK(remove_expired(connection, now));
  // Taking a number first makes logins wait for each other, also where several programs share the database: two can
  // never both count the last free licence.
  CALLISTO_TRY(const std::int64_t id, storage::next_ids(connection, "session", 1));
  CALLISTO_TRY(const bool is_free, is_licence_free(connection, options.licences, now));
  if (!is_free) return std::optional<std::int64_t>();
  const Value person = session.person ? Value(*session.person) : Value(Null());
  CALLISTO_CHECK(
      connection.execute(sql, {Value(id), person, Value(session.client_id), Value(std::string(name(session.type))),
                               Value(now), Value(after(now, options.refresh_seconds)), Value(session.address)}));
  return std::optional(id);
}

Result<void> extend_session(storage::Connection& connection, std::int64_t session, const Options& options,
                            DateTime now) {
  static const Sql sql("UPDATE session SET last_used = ?2, expires_at = ?3 WHERE id = ?1");
  CALLISTO_CHECK(remove_expired(connection, now));
  CALLISTO_CHECK(connection.execute(sql, {Value(session), Value(now), Value(after(now, options.refresh_seconds))}));
  return {};
}

Result<void> end_session(storage::Connection& connection, std::int64_t session, DateTime now) {
  static const Sql sql("UPDATE session SET ended_at = ?2 WHERE id = ?1 AND ended_at IS NULL");
  CALLISTO_CHECK(connection.execute(sql, {Value(session), Value(now)}));
  return {};
}

Result<void> store_tokens(storage::Connection& connection, std::int64_t session, const std::string& client_id,
                          const NewTokens& tokens, const Options& options, DateTime now) {
  static const Sql access("INSERT INTO access_token (hash, session, expires_at) VALUES (?1, ?2, ?3)");
  static const Sql refresh("INSERT INTO refresh_token (hash, session, expires_at, client_id) VALUES (?1, ?2, ?3, ?4)");
  CALLISTO_CHECK(connection.execute(
      access, {Value(stored(digest_of(tokens.access))), Value(session), Value(after(now, options.access_seconds))}));
  CALLISTO_CHECK(connection.execute(refresh, {Value(stored(digest_of(tokens.refresh))), Value(session),
                                              Value(after(now, options.refresh_seconds)), Value(client_id)}));
  return {};
}

}  // namespace callisto::auth
