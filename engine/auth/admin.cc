#include "engine/auth/admin.h"

#include "engine/auth/people/guesses.h"

namespace callisto::auth {

Result<void> put_password_hash(storage::Connection& connection, std::int64_t person, const std::string& hash) {
  static const Sql sql(
      "INSERT INTO person_password (person, hash) VALUES (?1, ?2) "
      "ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, failures = 0, locked_until = 0");
  CALLISTO_CHECK(connection.execute(sql, {Value(person), Value(hash)}));
  return forget_guesses(connection, person);
}

}  // namespace callisto::auth
