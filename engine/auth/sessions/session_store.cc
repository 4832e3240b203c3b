#include "engine/auth/sessions/session_store.h"

#include "engine/auth/admin.h"
#include "engine/auth/person.h"
#include "engine/auth/role.h"
#include "engine/auth/sessions/licence.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace callisto::auth {

namespace {

constexpr std::int64_t kept_after_expiry_ms = 3600 * 1000;
constexpr std::int64_t clock_slack_ms = 60'000;  // clocks of nodes are not quite the same

Result<std::vector<std::int64_t>> read_keys(storage::Connection& connection, const Sql& sql,
                                            const std::vector<Value>& values) {
  CALLISTO_TRY(const auto row, connection.query(sql, values));
  std::vector<std::int64_t> sessions;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return sessions;
    sessions.push_back(row->integer(0));
  }
}

// All but the newest `kept` of a person.
Result<std::vector<std::int64_t>> end_oldest(storage::Connection& connection, std::int64_t person, int kept,
                                             DateTime now) {
  static const Sql sql(
      "SELECT \"Ref\" FROM \"session\" WHERE \"Person\" = ?1 AND \"IsDeleted\" = 0 AND \"ExpiresDate\" > ?2 "
      "ORDER BY \"CreatedDate\" DESC, \"Ref\" DESC");
  CALLISTO_TRY(std::vector<std::int64_t> sessions, read_keys(connection, sql, {Value(person), Value(now)}));
  sessions.erase(sessions.begin(), sessions.begin() + std::min<std::ptrdiff_t>(kept, std::ssize(sessions)));
  for (const std::int64_t session : sessions) CALLISTO_CHECK(end_session(connection, session, now));
  return sessions;
}

// False where none is free and the person is not one who is always let in.
Result<bool> take_licence_of(storage::Connection& connection, const NewSession& session, DateTime now,
                             OpenedSession& opened) {
  CALLISTO_TRY(bool taken, take_licence(connection));
  if (taken) return true;
  CALLISTO_CHECK(end_expired_sessions(connection, now));
  CALLISTO_TRY(taken, take_licence(connection));
  if (taken || !session.person) return taken;
  if (opened.displaced.empty()) { CALLISTO_TRY(opened.beyond, is_administrator(connection, *session.person)); }
  if (opened.displaced.empty() && !opened.beyond) return false;
  CALLISTO_CHECK(take_licence_beyond(connection));
  return true;
}

}  // namespace

DateTime session_end(const Options& options, DateTime created, DateTime now) {
  return std::min(after(created, options.session_seconds), after(now, options.refresh_seconds));
}

Result<std::optional<OpenedSession>> open_session(storage::Connection& connection, const NewSession& session,
                                                  const Options& options, const storage::Stamp& stamp) {
  static const storage::NewRows rows("session",
                                     {"Person", "Client", "SessionType", "LastUsed", "ExpiresDate", "Address"});
  OpenedSession opened;
  if (session.person && options.licences > 0) {
    CALLISTO_TRY(opened.displaced, end_oldest(connection, *session.person, options.most_per_person() - 1, stamp.now));
  }
  CALLISTO_TRY(const bool licensed, take_licence_of(connection, session, stamp.now, opened));
  if (!licensed) return std::optional<OpenedSession>();
  CALLISTO_TRY(opened.id, rows.insert(connection,
                                      {session.person ? Value(*session.person) : Value(Null()), Value(session.client),
                                       Value(std::string(name(session.type))), Value(stamp.now),
                                       Value(session_end(options, stamp.now, stamp.now)), Value(session.address)},
                                      stamp));
  if (session.person) CALLISTO_CHECK(note_login(connection, *session.person, stamp.now));
  return std::optional(std::move(opened));
}

Result<void> extend_session(storage::Connection& connection, const StoredSession& session, const Options& options,
                            DateTime now) {
  static const Sql sql("UPDATE \"session\" SET \"LastUsed\" = ?2, \"ExpiresDate\" = ?3 WHERE \"Ref\" = ?1");
  CALLISTO_CHECK(
      connection.execute(sql, {Value(session.id), Value(now), Value(session_end(options, session.created, now))}));
  return {};
}

Result<std::optional<StoredSession>> find_session(storage::Connection& connection, std::int64_t session) {
  static const Sql sql(
      "SELECT \"Ref\", \"Person\", \"Client\", \"SessionType\", \"ExpiresDate\", \"IsDeleted\", "
      "\"CreatedDate\", \"Address\" FROM \"session\" WHERE \"Ref\" = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(session)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<StoredSession>();
  StoredSession stored;
  stored.id = row->integer(0);
  if (!row->is_null(1)) stored.person = row->integer(1);
  stored.client = row->integer(2);
  stored.type = session_type(row->text(3)).value_or(SessionType::User);
  stored.expires.ms = row->integer(4);
  stored.ended = row->integer(5) != 0;
  stored.created.ms = row->integer(6);
  stored.address = row->text(7);
  return std::optional(stored);
}

// One conditional update decides: of all who end it, one gives the licence back.
Result<bool> end_session(storage::Connection& connection, std::int64_t session, DateTime now) {
  static const Sql sql(
      "UPDATE \"session\" SET \"IsDeleted\" = 1, \"UpdatedDate\" = ?2, \"RecordVersion\" = \"RecordVersion\" + 1 "
      "WHERE \"Ref\" = ?1 AND \"IsDeleted\" = 0");
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, {Value(session), Value(now)}));
  if (changed != 1) return false;
  CALLISTO_CHECK(release_session(connection, session));
  return true;
}

Result<void> release_session(storage::Connection& connection, std::int64_t session) {
  static const Sql others("SELECT 1 FROM \"session\" WHERE \"Person\" = ?1 AND \"IsDeleted\" = 0 LIMIT 1");
  CALLISTO_CHECK(give_licence_back(connection));
  CALLISTO_TRY(const auto stored, find_session(connection, session));
  if (!stored || !stored->person) return {};
  CALLISTO_TRY(const auto row, connection.query(others, {Value(*stored->person)}));
  CALLISTO_TRY(const bool has_another, row->step());
  if (!has_another) CALLISTO_CHECK(note_last_session_ended(connection, *stored->person));
  return {};
}

Result<void> end_expired_sessions(storage::Connection& connection, DateTime now) {
  static const Sql sql("SELECT \"Ref\" FROM \"session\" WHERE \"ExpiresDate\" <= ?1 AND \"IsDeleted\" = 0");
  CALLISTO_TRY(const auto sessions, read_keys(connection, sql, {Value(now)}));
  for (const std::int64_t session : sessions) CALLISTO_CHECK(end_session(connection, session, now));
  return {};
}

Result<void> remove_dead_rows(storage::Connection& connection, DateTime now) {
  static const Sql statements[] = {
      Sql("DELETE FROM access_token WHERE session IN "
          "(SELECT \"Ref\" FROM \"session\" WHERE \"ExpiresDate\" <= ?1 AND \"IsDeleted\" = 1)"),
      Sql("DELETE FROM refresh_token WHERE session IN "
          "(SELECT \"Ref\" FROM \"session\" WHERE \"ExpiresDate\" <= ?1 AND \"IsDeleted\" = 1)"),
      Sql("DELETE FROM browser_session WHERE session IN "
          "(SELECT \"Ref\" FROM \"session\" WHERE \"ExpiresDate\" <= ?1 AND \"IsDeleted\" = 1)"),
      Sql("DELETE FROM \"session\" WHERE \"ExpiresDate\" <= ?1 AND \"IsDeleted\" = 1"),
      Sql("DELETE FROM access_token WHERE expires_at <= ?1"), Sql("DELETE FROM refresh_token WHERE expires_at <= ?1"),
      // A code that made a session stays as long as that lives: used again, it ends the session.
      Sql("DELETE FROM authorization_code WHERE expires_at <= ?1 AND (session IS NULL OR session NOT IN "
          "(SELECT \"Ref\" FROM \"session\" WHERE \"IsDeleted\" = 0))")};
  for (const Sql& sql : statements)
    CALLISTO_CHECK(connection.execute(sql, {Value(DateTime{now.ms - kept_after_expiry_ms})}));
  return {};
}

Result<void> cut_stamps_ahead(storage::Connection& connection, const Options& options, DateTime now) {
  static const Sql access("UPDATE access_token SET expires_at = ?1 WHERE expires_at > ?2");
  static const Sql refresh("UPDATE refresh_token SET expires_at = ?1 WHERE expires_at > ?2");
  static const Sql code("UPDATE authorization_code SET expires_at = ?1 WHERE expires_at > ?2");
  static const Sql session(
      "UPDATE \"session\" SET \"ExpiresDate\" = ?1, "
      "\"CreatedDate\" = CASE WHEN \"CreatedDate\" > ?3 THEN ?3 ELSE \"CreatedDate\" END, "
      "\"LastUsed\" = CASE WHEN \"LastUsed\" > ?3 THEN ?3 ELSE \"LastUsed\" END WHERE \"ExpiresDate\" > ?2");
  const auto cut = [&](const Sql& sql, int seconds, std::vector<Value> more = {}) -> Result<void> {
    std::vector<Value> values{Value(after(now, seconds)), Value(DateTime{after(now, seconds).ms + clock_slack_ms})};
    values.insert(values.end(), more.begin(), more.end());
    CALLISTO_CHECK(connection.execute(sql, values));
    return {};
  };
  CALLISTO_CHECK(cut(access, options.access_seconds));
  CALLISTO_CHECK(cut(refresh, options.refresh_seconds));
  CALLISTO_CHECK(cut(code, options.code_seconds));
  return cut(session, options.refresh_seconds, {Value(now)});
}

Result<void> write_last_used(storage::Connection& connection, std::int64_t session, DateTime used) {
  static const Sql sql("UPDATE \"session\" SET \"LastUsed\" = ?2 WHERE \"Ref\" = ?1 AND \"LastUsed\" < ?2");
  CALLISTO_CHECK(connection.execute(sql, {Value(session), Value(used)}));
  return {};
}

Result<std::vector<ListedSession>> list_sessions(storage::Connection& connection, DateTime now) {
  static const Sql sql(
      "SELECT \"Ref\", \"Person\", \"Client\", \"SessionType\", \"CreatedDate\", \"LastUsed\", \"ExpiresDate\", "
      "\"Address\" FROM \"session\" WHERE \"IsDeleted\" = 0 AND \"ExpiresDate\" > ?1 ORDER BY \"Ref\"");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(now)}));
  std::vector<ListedSession> sessions;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return sessions;
    ListedSession session{row->integer(0),
                          {},
                          {},
                          session_type(row->text(3)).value_or(SessionType::User),
                          {row->integer(4)},
                          {row->integer(5)},
                          {row->integer(6)},
                          std::string(row->text(7))};
    if (!row->is_null(1)) { CALLISTO_TRY(session.login, login_of(connection, row->integer(1))); }
    CALLISTO_TRY(const auto client, find_client(connection, row->integer(2)));
    if (client) session.client_id = client->id;
    sessions.push_back(std::move(session));
  }
}

Result<std::int64_t> count_sessions(storage::Connection& connection) {
  static const Sql sql("SELECT COUNT(*) FROM \"session\" WHERE \"IsDeleted\" = 0");
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? row->integer(0) : 0;
}

}  // namespace callisto::auth
