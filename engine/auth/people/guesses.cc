#include "engine/auth/people/guesses.h"

#include "engine/auth/attempts.h"
#include "engine/base/base64.h"
#include "engine/base/hmac.h"

#include <algorithm>
#include <cstdlib>

namespace callisto::auth {

namespace {

constexpr std::int64_t free_failures = 10;          // in a row, from one network
constexpr std::int64_t free_failures_of_all = 100;  // from all networks that are not known
constexpr std::int64_t first_lock_ms = 30'000;
constexpr std::int64_t longest_lock_ms = 15 * 60'000;
constexpr std::int64_t day_ms = 24 * 3600 * 1000;
constexpr std::int64_t known_ms = 30 * day_ms;
constexpr std::int64_t most_networks = 64;  // kept of a person

// 30 s with the last free failure, doubling to 15 min.
std::int64_t lock_ms(std::int64_t failures, std::int64_t free) {
  if (failures < free) return 0;
  const std::int64_t doublings = std::min<std::int64_t>(failures - free, 5);
  return std::min(first_lock_ms << doublings, longest_lock_ms);
}

// A lock further ahead than the longest was made by a clock that was wrong, and is over.
bool holds(DateTime locked_until, DateTime now) {
  return now < locked_until && locked_until.ms - now.ms <= longest_lock_ms;
}

// Failures are in a row while less than a day lies between them.
template <typename Record>
void count_failure(Record& record, std::int64_t free, DateTime now) {
  if (std::abs(now.ms - record.refused.ms) > day_ms) record.failures = 0;
  ++record.failures;
  record.locked_until.ms = now.ms + lock_ms(record.failures, free);
}

Result<void> write(storage::Connection& connection, const NetworkRecord& network, DateTime now) {
  static const Sql sql(
      "INSERT INTO sign_in_network (person, network, failures, locked_until, refused_at, admitted_at) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6) ON CONFLICT (person, network) DO UPDATE SET failures = excluded.failures, "
      "locked_until = excluded.locked_until, refused_at = excluded.refused_at, admitted_at = excluded.admitted_at");
  CALLISTO_CHECK(connection.execute(sql, {Value(network.person), Value(network.network), Value(network.failures),
                                          Value(network.locked_until), Value(now), Value(network.admitted)}));
  return {};
}

Result<void> write(storage::Connection& connection, const PasswordRecord& record, DateTime now) {
  static const Sql sql(
      "UPDATE person_password SET failures = ?2, locked_until = ?3, refused_at = ?4 WHERE person = ?1");
  CALLISTO_CHECK(
      connection.execute(sql, {Value(record.person), Value(record.failures), Value(record.locked_until), Value(now)}));
  return {};
}

}  // namespace

bool NetworkRecord::is_known(DateTime now) const {
  return admitted.ms != 0 && std::abs(now.ms - admitted.ms) < known_ms;
}

bool Guesses::is_locked(DateTime now) const {
  return holds(network.locked_until, now) || (!network.is_known(now) && holds(record.locked_until, now));
}

std::string network_digest(std::string_view key, std::int64_t person, const std::string& address) {
  return encode_base64(hmac_sha256(key, std::to_string(person) + "\n" + address_group(address)), Base64::Url);
}

Result<Guesses> read_guesses(storage::Connection& connection, std::int64_t person, const std::string& network) {
  static const Sql sql(
      "SELECT failures, locked_until, refused_at, admitted_at FROM sign_in_network WHERE person = ?1 AND network = ?2");
  Guesses guesses;
  CALLISTO_TRY(guesses.record, read_password(connection, person));
  guesses.network.person = guesses.record.person;
  guesses.network.network = guesses.record.person == 0 ? std::string() : network;
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(guesses.network.person), Value(guesses.network.network)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return guesses;
  guesses.network.failures = row->integer(0);
  guesses.network.locked_until.ms = row->integer(1);
  guesses.network.refused.ms = row->integer(2);
  guesses.network.admitted.ms = row->integer(3);
  return guesses;
}

Result<void> note_refusal(storage::Connection& connection, const Guesses& guesses, bool wrong_guess, DateTime now) {
  Guesses next = guesses;
  if (wrong_guess && !guesses.is_locked(now) && guesses.record.person != 0) {  // a lock is not lengthened
    count_failure(next.network, free_failures, now);
    if (!guesses.network.is_known(now)) count_failure(next.record, free_failures_of_all, now);
  } else {
    next.network = {};
  }
  CALLISTO_CHECK(write(connection, next.network, now));
  return write(connection, next.record, now);
}

Result<void> note_success(storage::Connection& connection, const Guesses& guesses, DateTime now) {
  static const Sql prune(
      "DELETE FROM sign_in_network WHERE person = ?1 AND network NOT IN (SELECT network FROM sign_in_network "
      "WHERE person = ?1 ORDER BY admitted_at DESC, refused_at DESC LIMIT ?2)");
  NetworkRecord network = guesses.network;
  network.failures = 0;
  network.locked_until = {};
  network.admitted = now;
  CALLISTO_CHECK(write(connection, network, network.refused));
  if (guesses.network.is_known(now)) return {};
  PasswordRecord record = guesses.record;
  record.failures = 0;
  record.locked_until = {};
  CALLISTO_CHECK(write(connection, record, record.refused));
  CALLISTO_CHECK(connection.execute(prune, {Value(record.person), Value(most_networks)}));
  return {};
}

Result<void> forget_guesses(storage::Connection& connection, std::int64_t person) {
  static const Sql sql("DELETE FROM sign_in_network WHERE person = ?1");
  CALLISTO_CHECK(connection.execute(sql, {Value(person)}));
  return {};
}

Result<void> remove_old_guesses(storage::Connection& connection, DateTime now) {
  static const Sql sql(
      "DELETE FROM sign_in_network WHERE (refused_at < ?1 AND admitted_at < ?2) OR refused_at > ?3 OR admitted_at > "
      "?3");
  CALLISTO_CHECK(connection.execute(
      sql, {Value(DateTime{now.ms - day_ms}), Value(DateTime{now.ms - known_ms}), Value(DateTime{now.ms + day_ms})}));
  return {};
}

}  // namespace callisto::auth
