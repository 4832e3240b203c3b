#include "engine/auth/password_record.h"

#include <algorithm>

namespace callisto::auth {

namespace {

constexpr std::int64_t free_failures = 10;
constexpr std::int64_t first_lock_ms = 30'000;
constexpr std::int64_t longest_lock_ms = 15 * 60'000;

// 30 s with the tenth failure in a row, doubling to 15 min.
std::int64_t lock_ms(std::int64_t failures) {
  if (failures < free_failures) return 0;
  const std::int64_t doublings = std::min<std::int64_t>(failures - free_failures, 5);
  return std::min(first_lock_ms << doublings, longest_lock_ms);
}

}  // namespace

Result<PasswordRecord> read_password(storage::Connection& connection, std::int64_t person) {
  static const Sql sql(
      "SELECT person, hash, failures, locked_until FROM person_password WHERE person IN (?1, 0) "
      "ORDER BY person DESC LIMIT 1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(person)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return PasswordRecord();
  return PasswordRecord{row->integer(0), std::string(row->text(1)), row->integer(2), DateTime{row->integer(3)}};
}

Result<void> note_refusal(storage::Connection& connection, const PasswordRecord& record, bool wrong_guess,
                          DateTime now) {
  static const Sql sql(
      "UPDATE person_password SET failures = ?2, locked_until = ?3, refused_at = ?4 WHERE person = ?1");
  PasswordRecord next = record;
  if (wrong_guess && !record.is_locked(now)) {  // attempts during a lock do not lengthen it
    ++next.failures;
    next.locked_until.ms = now.ms + lock_ms(next.failures);
  }
  CALLISTO_CHECK(
      connection.execute(sql, {Value(next.person), Value(next.failures), Value(next.locked_until), Value(now)}));
  return {};
}

Result<void> note_success(storage::Connection& connection, const PasswordRecord& record) {
  static const Sql sql("UPDATE person_password SET failures = 0, locked_until = 0 WHERE person = ?1");
  CALLISTO_CHECK(connection.execute(sql, {Value(record.person)}));
  return {};
}

Result<void> renew_hash(storage::Connection& connection, const PasswordRecord& record, const std::string& hash) {
  static const Sql sql("UPDATE person_password SET hash = ?3 WHERE person = ?1 AND hash = ?2");
  CALLISTO_CHECK(connection.execute(sql, {Value(record.person), Value(record.hash), Value(hash)}));
  return {};
}

}  // namespace callisto::auth
