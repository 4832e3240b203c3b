#include "engine/auth/people/access_check.h"

#include "engine/auth/clients/client.h"
#include "engine/auth/person.h"
#include "engine/auth/role.h"
#include "engine/auth/sessions/session_store.h"
#include "engine/auth/sessions/token_store.h"

#include <algorithm>
#include <utility>

namespace callisto::auth {

namespace {

Result<void> check_alive(const AccessToken& token, const std::optional<StoredSession>& session, DateTime now) {
  if (!session || !session->lives(now))
    return not_authenticated("The session of this access token has ended. Sign in again.");
  if (now >= token.expires)
    return not_authenticated("The access token has expired. Get a new one with the refresh token.");
  return {};
}

Result<void> check_person(storage::Connection& connection, const StoredSession& session) {
  if (!session.person) return {};
  CALLISTO_TRY(const auto person, find_person(connection, *session.person));
  if (!person || !person->may_hold(session.type))
    return not_authenticated("The account of this access token may not use it any more.");
  return {};
}

}  // namespace

Result<LiveSession> read_session(storage::Connection& connection, const Digest& access_token, DateTime now) {
  CALLISTO_TRY(const auto one_state, storage::ReadTransaction::begin(connection));
  CALLISTO_TRY(const auto token, find_access_token(connection, access_token));
  if (!token) return not_authenticated("The access token is not known here. Sign in again.");
  CALLISTO_TRY(const auto stored, find_session(connection, token->session));
  CALLISTO_CHECK(check_alive(*token, stored, now));
  CALLISTO_CHECK(check_person(connection, *stored));
  CALLISTO_TRY(const auto client, find_client(connection, stored->client));
  if (!client || !client->enabled)
    return not_authenticated("The program that holds this access token may not be used any more.");
  Session session{stored->id, stored->type, stored->person, client->id, {}, {}};
  CALLISTO_CHECK(session.person ? read_person_access(connection, session)
                                : read_role_access(connection, client->role, session));
  return LiveSession{std::make_shared<const Session>(std::move(session)), std::min(token->expires, stored->expires)};
}

Result<std::optional<Session>> read_view(storage::Connection& connection, const Session& viewer,
                                         const std::string& login_name, std::optional<SessionType> type) {
  CALLISTO_TRY(const auto one_state, storage::ReadTransaction::begin(connection));
  CALLISTO_TRY(const auto person, find_person_by_login(connection, login_name));
  if (!person) return std::optional<Session>();
  const SessionType other = viewer.type == SessionType::User ? SessionType::Analyst : SessionType::User;
  const SessionType held = type ? *type : person->may_hold(viewer.type) ? viewer.type : other;
  if (!person->may_hold(held)) return std::optional<Session>();
  Session session{0, held, person->ref, viewer.client_id, {}, {}};
  CALLISTO_CHECK(read_person_access(connection, session));
  return std::optional(std::move(session));
}

}  // namespace callisto::auth
