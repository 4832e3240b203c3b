#include "engine/auth/sessions/browser_session.h"

namespace callisto::auth {

Result<void> keep_browser_session(storage::Connection& connection, const Digest& digest, std::int64_t session) {
  static const Sql sql("INSERT INTO browser_session (hash, session) VALUES (?1, ?2)");
  CALLISTO_CHECK(connection.execute(sql, {Value(stored(digest)), Value(session)}));
  return {};
}

Result<std::optional<StoredSession>> find_browser_session(storage::Connection& connection, const Digest& digest,
                                                          DateTime now) {
  static const Sql sql("SELECT session FROM browser_session WHERE hash = ?1");
  std::int64_t session = 0;
  {
    CALLISTO_TRY(const auto row, connection.query(sql, {Value(stored(digest))}));
    CALLISTO_TRY(const bool found, row->step());
    if (!found) return std::optional<StoredSession>();
    session = row->integer(0);
  }
  CALLISTO_TRY(auto held, find_session(connection, session));
  if (held && !held->lives(now)) held.reset();
  return held;
}

}  // namespace callisto::auth
