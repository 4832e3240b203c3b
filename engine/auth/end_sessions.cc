#include "engine/auth/end_sessions.h"

#include "engine/auth/clients/redirect_uri.h"
#include "engine/auth/grants/code_store.h"
#include "engine/auth/sessions/licence.h"

namespace callisto::auth {

namespace {

// A code stays as long as the session that it made.
constexpr SqlLiteral has_code("EXISTS (SELECT 1 FROM authorization_code c WHERE c.session = \"session\".\"Ref\")");
constexpr SqlLiteral was_renewed(
    "EXISTS (SELECT 1 FROM refresh_token t WHERE t.session = \"session\".\"Ref\" AND t.state = 'U')");

// As session_store.h ends one: the conditional update decides who gives a licence back.
Sql update_of(SqlLiteral owner, const Sql& condition) {
  Sql sql(
      "UPDATE \"session\" SET \"IsDeleted\" = 1, \"UpdatedDate\" = ?3, \"UpdatedBy\" = ?4, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE ");
  sql << owner << " = ?1 AND \"Ref\" <> ?2 AND \"IsDeleted\" = 0";
  if (!condition.empty()) sql << " AND (" << condition << ")";
  return sql << " RETURNING \"Ref\", \"Person\", \"Client\"";
}

Sql logged_out_of(SqlLiteral owner) {
  Sql sql(
      "UPDATE \"person\" SET \"IsLoggedIn\" = 0 WHERE \"IsLoggedIn\" = 1 AND \"Ref\" IN "
      "(SELECT \"Person\" FROM \"session\" WHERE ");
  return sql << owner
             << " = ?1) AND NOT EXISTS (SELECT 1 FROM \"session\" other WHERE other.\"Person\" = \"person\".\"Ref\" "
                "AND other.\"IsDeleted\" = 0)";
}

Result<std::vector<EndedSession>> read_ended(storage::Connection& connection, const Sql& sql,
                                             const std::vector<Value>& values) {
  std::vector<EndedSession> ended;
  CALLISTO_TRY(const auto row, connection.query(sql, values));
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return ended;
    ended.push_back({row->integer(0), {}, row->integer(2)});
    if (!row->is_null(1)) ended.back().person = row->integer(1);
  }
}

SqlLiteral of_type(SessionType type) {
  return type == SessionType::User ? SqlLiteral("\"SessionType\" = 'User'") : SqlLiteral("\"SessionType\" = 'Analyst'");
}

// Sessions that the client could not have opened as it is now.
Sql lost_to(const Client& client) {
  Sql sql("1 = 0");
  if (client.only) sql << " OR NOT " << of_type(*client.only);
  if (!client.allows("client_credentials")) sql << " OR \"Person\" IS NULL";
  if (!client.allows("authorization_code")) sql << " OR " << has_code;
  if (!client.allows("password")) sql << " OR (\"Person\" IS NOT NULL AND NOT " << has_code << ")";
  if (!client.allows("refresh_token")) sql << " OR " << was_renewed;
  return sql;
}

}  // namespace

Result<std::vector<EndedSession>> end_sessions(storage::Connection& connection, SessionsOf owner, std::int64_t key,
                                               const Ending& ending, const Sql& condition) {
  const bool is_person = owner == SessionsOf::Person;
  const SqlLiteral column = is_person ? SqlLiteral("\"Person\"") : SqlLiteral("\"Client\"");
  if (condition.empty())
    CALLISTO_CHECK(is_person ? take_back_codes_of_person(connection, key) : take_back_codes_of_client(connection, key));
  CALLISTO_TRY(auto ended, read_ended(connection, update_of(column, condition),
                                      {Value(key), Value(ending.spared), Value(ending.now),
                                       ending.by ? Value(*ending.by) : Value(Null())}));
  if (ended.empty()) return ended;
  CALLISTO_CHECK(give_licences_back(connection, static_cast<std::int64_t>(ended.size())));
  CALLISTO_CHECK(connection.execute(logged_out_of(column), {Value(key)}));
  return ended;
}

Result<std::vector<EndedSession>> end_lost_sessions(storage::Connection& connection, const Person& person,
                                                    const Ending& ending) {
  if (!person.active) return end_sessions(connection, SessionsOf::Person, person.ref, ending);
  std::vector<EndedSession> ended;
  for (const SessionType type : {SessionType::Analyst, SessionType::User}) {
    if (person.may_hold(type)) continue;
    CALLISTO_CHECK(take_back_codes_of_person(connection, person.ref, type));
    CALLISTO_TRY(const auto some, end_sessions(connection, SessionsOf::Person, person.ref, ending, Sql(of_type(type))));
    ended.insert(ended.end(), some.begin(), some.end());
  }
  return ended;
}

Result<std::vector<EndedSession>> end_coded_sessions(storage::Connection& connection, std::int64_t person,
                                                     const Ending& ending) {
  CALLISTO_CHECK(take_back_codes_of_person(connection, person));
  return end_sessions(connection, SessionsOf::Person, person, ending, Sql(has_code));
}

Result<std::vector<EndedSession>> end_lost_sessions(storage::Connection& connection, const Client& client,
                                                    const Ending& ending) {
  if (!client.enabled) return end_sessions(connection, SessionsOf::Client, client.ref, ending);
  CALLISTO_TRY(const auto uses, redirects_of_client(connection, client.ref));
  CALLISTO_TRY(auto ended, end_sessions(connection, SessionsOf::Client, client.ref, ending, lost_to(client)));
  for (const auto& [session, redirect_uri] : uses) {
    if (is_registered(client.redirect_uris, redirect_uri)) continue;
    Sql itself("\"Ref\" = ");
    itself.integer(static_cast<std::size_t>(session));
    CALLISTO_TRY(const auto one, end_sessions(connection, SessionsOf::Client, client.ref, ending, itself));
    ended.insert(ended.end(), one.begin(), one.end());
  }
  return ended;
}

}  // namespace callisto::auth
