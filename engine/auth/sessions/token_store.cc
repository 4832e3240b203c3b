#include "engine/auth/sessions/token_store.h"

#include "engine/auth/sessions/session_store.h"

#include <algorithm>

namespace callisto::auth {

NewTokens::NewTokens(Random& random)
    : access(make_token(TokenKind::Access, random)), refresh(make_token(TokenKind::Refresh, random)) {}

TokenPair NewTokens::answer(SessionType type, int expires_in) const {
  return {access, refresh, scope_of(type), expires_in};
}

namespace {

Result<StoredSession> session_to_give(storage::Connection& connection, std::int64_t session) {
  CALLISTO_TRY(const auto held, find_session(connection, session));
  if (!held) return internal("there is no session " + std::to_string(session) + " to give tokens to");
  return *held;
}

Result<int> store_access(storage::Connection& connection, const StoredSession& held, const std::string& token,
                         const Options& options, DateTime now) {
  static const Sql access("INSERT INTO access_token (hash, session, expires_at) VALUES (?1, ?2, ?3)");
  // Its own time even where the session is over before: until then it proves whose a logout is (API rule 6.8).
  const DateTime access_end = after(now, options.access_seconds);
  CALLISTO_CHECK(connection.execute(access, {Value(stored(digest_of(token))), Value(held.id), Value(access_end)}));
  return static_cast<int>((std::min(access_end, held.expires).ms - now.ms) / 1000);
}

}  // namespace

Result<int> store_access_token(storage::Connection& connection, std::int64_t session, const std::string& token,
                               const Options& options, DateTime now) {
  CALLISTO_TRY(const StoredSession held, session_to_give(connection, session));
  return store_access(connection, held, token, options, now);
}

Result<int> store_tokens(storage::Connection& connection, std::int64_t session, const NewTokens& tokens,
                         const Options& options, DateTime now) {
  static const Sql refresh("INSERT INTO refresh_token (hash, session, expires_at) VALUES (?1, ?2, ?3)");
  CALLISTO_TRY(const StoredSession held, session_to_give(connection, session));
  CALLISTO_CHECK(
      connection.execute(refresh, {Value(stored(digest_of(tokens.refresh))), Value(session), Value(held.expires)}));
  return store_access(connection, held, tokens.access, options, now);
}

Result<std::optional<AccessToken>> find_access_token(storage::Connection& connection, const Digest& digest) {
  static const Sql sql("SELECT session, expires_at FROM access_token WHERE hash = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(stored(digest))}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<AccessToken>();
  return std::optional(AccessToken{row->integer(0), DateTime{row->integer(1)}});
}

Result<std::optional<RefreshToken>> find_refresh_token(storage::Connection& connection, const Digest& digest) {
  static const Sql sql(
      "SELECT t.session, t.state, t.used_at, t.expires_at, n.state FROM refresh_token t "
      "LEFT JOIN refresh_token n ON n.hash = t.successor WHERE t.hash = ?1");
  RefreshToken token;
  token.hash = stored(digest);
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(token.hash)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<RefreshToken>();
  token.session = row->integer(0);
  token.used = row->text(1) != "A";
  if (token.used) token.used_at.ms = row->integer(2);
  token.expires.ms = row->integer(3);
  token.successor_unused = !row->is_null(4) && row->text(4) == "A";
  return std::optional(std::move(token));
}

Result<bool> spend_refresh_token(storage::Connection& connection, const RefreshToken& token, const NewTokens& successor,
                                 DateTime now) {
  static const Sql sql(
      "UPDATE refresh_token SET state = 'U', used_at = ?2, successor = ?3 "
      "WHERE hash = ?1 AND state = 'A' AND expires_at > ?2");
  CALLISTO_TRY(const std::int64_t changed,
               connection.execute(sql, {Value(token.hash), Value(now), Value(stored(digest_of(successor.refresh)))}));
  return changed == 1;
}

}  // namespace callisto::auth
