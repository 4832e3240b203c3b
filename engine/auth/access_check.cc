#include "engine/auth/access_check.h"

#include "engine/auth/person.h"
#include "engine/auth/words.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace callisto::auth {

namespace {

struct TokenRow {
  Session session;
  DateTime token_expires, session_expires;
  bool ended = false;
};

Result<std::optional<TokenRow>> read_token(storage::Connection& connection, const Digest& access_token) {
  static const Sql sql(
      "SELECT s.id, s.person, s.client_id, s.session_type, s.expires_at, s.ended_at, t.expires_at "
      "FROM access_token t JOIN session s ON s.id = t.session WHERE t.hash = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(stored(access_token))}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<TokenRow>();
  TokenRow token;
  token.session.id = row->integer(0);
  if (!row->is_null(1)) token.session.person = row->integer(1);
  token.session.client_id = row->text(2);
  token.session.type = session_type(row->text(3)).value_or(SessionType::User);
  token.session_expires.ms = row->integer(4);
  token.ended = !row->is_null(5);
  token.token_expires.ms = row->integer(6);
  return std::optional(std::move(token));
}

Result<void> check_alive(const TokenRow& token, DateTime now) {
  if (token.ended || now >= token.session_expires)
    return not_authenticated("The session of this access token has ended. Sign in again.");
  if (now >= token.token_expires)
    return not_authenticated("The access token has expired. Get a new one with the refresh token.");
  return {};
}

Result<void> check_person(storage::Connection& connection, const Session& session) {
  if (!session.person) return {};
  CALLISTO_TRY(const auto person, find_person(connection, *session.person));
  if (!person || !person->may_hold(session.type))
    return not_authenticated("The account of this access token may not use it any more.");
  return {};
}

// Decisions.md 6.10: a session of type User has no rights of roles; it does what the entities grant to users.
Result<bool> read_roles(storage::Connection& connection, std::int64_t person, Session& session) {
  static const Sql sql(
      "SELECT r.rights, r.all_partitions FROM role r JOIN person_role p ON p.role = r.ref WHERE p.person = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(person)}));
  bool sees_all = false;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return sees_all;
    if (session.type == SessionType::Analyst)
      for (std::string& right : split_words(row->text(0))) session.rights.insert(std::move(right));
    sees_all = sees_all || row->integer(1) == 1;
  }
}

Result<std::vector<std::int64_t>> read_partitions(storage::Connection& connection, std::int64_t person) {
  static const Sql sql(
      "SELECT DISTINCT o.partition FROM role_partition o JOIN person_role p ON p.role = o.role "
      "WHERE p.person = ?1 ORDER BY o.partition");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(person)}));
  std::vector<std::int64_t> partitions;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return partitions;
    partitions.push_back(row->integer(0));
  }
}

// The union of all roles; without any role no rights and no partition.
Result<void> read_access(storage::Connection& connection, Session& session) {
  session.partitions.emplace();
  if (!session.person) return {};
  CALLISTO_TRY(const bool sees_all, read_roles(connection, *session.person, session));
  if (sees_all) {
    session.partitions.reset();
    return {};
  }
  CALLISTO_TRY(session.partitions, read_partitions(connection, *session.person));
  return {};
}

}  // namespace

Result<LiveSession> read_session(storage::Connection& connection, const Digest& access_token, DateTime now) {
  CALLISTO_TRY(const auto one_state, storage::ReadTransaction::begin(connection));
  CALLISTO_TRY(auto token, read_token(connection, access_token));
  if (!token) return not_authenticated("The access token is not known here. Sign in again.");
  CALLISTO_CHECK(check_alive(*token, now));
  CALLISTO_CHECK(check_person(connection, token->session));
  CALLISTO_CHECK(read_access(connection, token->session));
  return LiveSession{std::make_shared<const Session>(std::move(token->session)),
                     std::min(token->token_expires, token->session_expires)};
}

}  // namespace callisto::auth
