#include "engine/auth/sessions/licence.h"

#include "engine/auth/sessions/session_store.h"

namespace callisto::auth {

Result<bool> take_licence(storage::Connection& connection) {
  static const Sql sql(
      "UPDATE licence_pool SET in_use = in_use + 1 WHERE id = 1 AND (capacity = 0 OR in_use < capacity)");
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, {}));
  return changed == 1;
}

Result<void> take_licence_beyond(storage::Connection& connection) {
  static const Sql sql("UPDATE licence_pool SET in_use = in_use + 1 WHERE id = 1");
  CALLISTO_CHECK(connection.execute(sql, {}));
  return {};
}

Result<void> give_licence_back(storage::Connection& connection) {
  static const Sql sql("UPDATE licence_pool SET in_use = in_use - 1 WHERE id = 1 AND in_use > 0");
  CALLISTO_CHECK(connection.execute(sql, {}));
  return {};
}

Result<void> give_licences_back(storage::Connection& connection, std::int64_t count) {
  static const Sql sql(
      "UPDATE licence_pool SET in_use = CASE WHEN in_use > ?1 THEN in_use - ?1 ELSE 0 END WHERE id = 1");
  CALLISTO_CHECK(connection.execute(sql, {Value(count)}));
  return {};
}

Result<void> set_licences(storage::Connection& connection, int capacity) {
  static const Sql sql("UPDATE licence_pool SET capacity = ?1 WHERE id = 1");
  CALLISTO_CHECK(connection.execute(sql, {Value(std::int64_t{capacity})}));
  return {};
}

Result<bool> recount_licences(storage::Connection& connection) {
  static const Sql sql("UPDATE licence_pool SET in_use = ?1 WHERE id = 1 AND in_use <> ?1");
  CALLISTO_TRY(const std::int64_t live, count_sessions(connection));
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, {Value(live)}));
  return changed == 1;
}

}  // namespace callisto::auth
