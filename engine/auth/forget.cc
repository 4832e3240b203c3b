#include "engine/auth/forget.h"

namespace callisto::auth {

Result<void> forget(storage::Connection& connection, std::string_view entity, std::int64_t key) {
  static const Sql of_person[] = {Sql("DELETE FROM person_password WHERE person = ?1"),
                                  Sql("DELETE FROM \"identity_link\" WHERE \"Person\" = ?1"),
                                  Sql("DELETE FROM sign_in_network WHERE person = ?1")};
  static const Sql of_client[] = {Sql("DELETE FROM client_secret WHERE client = ?1")};
  if (entity == "person")
    for (const Sql& sql : of_person) CALLISTO_CHECK(connection.execute(sql, {Value(key)}));
  if (entity == "client")
    for (const Sql& sql : of_client) CALLISTO_CHECK(connection.execute(sql, {Value(key)}));
  return {};
}

}  // namespace callisto::auth
