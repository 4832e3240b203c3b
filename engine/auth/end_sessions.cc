#include "engine/auth/end_sessions.h"

#include "engine/auth/licence.h"

namespace callisto::auth {

namespace {

struct Statements {
  Sql sessions, persons;
};

// As session_store.h ends one: the conditional update decides who gives a licence back.
Statements statements_of(SqlLiteral owner) {
  Statements made{Sql("UPDATE \"session\" SET \"IsDeleted\" = 1, \"UpdatedDate\" = ?3, \"UpdatedBy\" = ?4, "
                      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE "),
                  Sql("UPDATE \"person\" SET \"IsLoggedIn\" = 0 WHERE \"IsLoggedIn\" = 1 AND \"Ref\" IN "
                      "(SELECT \"Person\" FROM \"session\" WHERE ")};
  made.sessions << owner << " = ?1 AND \"Ref\" <> ?2 AND \"IsDeleted\" = 0 RETURNING \"Ref\", \"Person\", \"Client\"";
  made.persons << owner
               << " = ?1) AND NOT EXISTS (SELECT 1 FROM \"session\" other WHERE other.\"Person\" = \"person\".\"Ref\" "
                  "AND other.\"IsDeleted\" = 0)";
  return made;
}

}  // namespace

Result<std::vector<EndedSession>> end_sessions(storage::Connection& connection, SessionsOf owner, std::int64_t key,
                                               std::int64_t spared, DateTime now, std::optional<std::int64_t> by) {
  static const Statements of_person = statements_of("\"Person\""), of_client = statements_of("\"Client\"");
  const Statements& statements = owner == SessionsOf::Person ? of_person : of_client;
  std::vector<EndedSession> ended;
  {
    CALLISTO_TRY(const auto row, connection.query(statements.sessions, {Value(key), Value(spared), Value(now),
                                                                        by ? Value(*by) : Value(Null())}));
    for (;;) {
      CALLISTO_TRY(const bool more, row->step());
      if (!more) break;
      ended.push_back({row->integer(0), {}, row->integer(2)});
      if (!row->is_null(1)) ended.back().person = row->integer(1);
    }
  }
  if (ended.empty()) return ended;
  CALLISTO_CHECK(give_licences_back(connection, static_cast<std::int64_t>(ended.size())));
  CALLISTO_CHECK(connection.execute(statements.persons, {Value(key)}));
  return ended;
}

}  // namespace callisto::auth
