#include "engine/auth/people/password_record.h"

namespace callisto::auth {

Result<PasswordRecord> read_password(storage::Connection& connection, std::int64_t person) {
  static const Sql sql(
      "SELECT person, hash, failures, locked_until, refused_at FROM person_password WHERE person IN (?1, 0) "
      "ORDER BY person DESC LIMIT 1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(person)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return PasswordRecord();
  return PasswordRecord{row->integer(0), std::string(row->text(1)), row->integer(2), DateTime{row->integer(3)},
                        DateTime{row->integer(4)}};
}

Result<void> renew_hash(storage::Connection& connection, const PasswordRecord& record, const std::string& hash) {
  static const Sql sql("UPDATE person_password SET hash = ?3 WHERE person = ?1 AND hash = ?2");
  CALLISTO_CHECK(connection.execute(sql, {Value(record.person), Value(record.hash), Value(hash)}));
  return {};
}

}  // namespace callisto::auth
