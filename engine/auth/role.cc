#include "engine/auth/role.h"

#include "engine/auth/clients/client.h"
#include "engine/auth/words.h"

#include <algorithm>
#include <utility>

namespace callisto::auth {

namespace {

Result<std::vector<std::int64_t>> read_numbers(storage::Connection& connection, const Sql& sql, std::int64_t key) {
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(key)}));
  std::vector<std::int64_t> numbers;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return numbers;
    numbers.push_back(row->integer(0));
  }
}

// API rule 6.10: a session of type User has no rights of roles; it does what the entities grant to users.
Result<bool> read_rights(storage::Connection& connection, const Sql& sql, std::int64_t key, Session& session) {
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(key)}));
  bool sees_all = false;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return sees_all;
    if (session.type == SessionType::Analyst)
      for (std::string& right : split_words(row->text(0))) session.rights.insert(std::move(right));
    sees_all = sees_all || row->integer(1) == 1;
  }
}

Result<void> read_access(storage::Connection& connection, const Sql& roles, const Sql& partitions, std::int64_t key,
                         Session& session) {
  CALLISTO_TRY(const bool sees_all, read_rights(connection, roles, key, session));
  session.partitions.reset();
  if (!sees_all) { CALLISTO_TRY(session.partitions, read_numbers(connection, partitions, key)); }
  return {};
}

}  // namespace

// LIKE only narrows: the word is looked for among the words.
Result<bool> has_administrator(storage::Connection& connection) {
  static const Sql sql(
      "SELECT r.\"Rights\" FROM \"person_role\" a JOIN \"role\" r ON r.\"Ref\" = a.\"Role\" "
      "JOIN \"person\" p ON p.\"Ref\" = a.\"Person\" WHERE r.\"Rights\" LIKE '%Administration%' AND p.\"IsActive\" = 1 "
      "AND COALESCE(a.\"IsDeleted\", 0) = 0 AND COALESCE(r.\"IsDeleted\", 0) = 0 AND COALESCE(p.\"IsDeleted\", 0) = 0");
  CALLISTO_TRY(const auto row, connection.query(sql, {}));
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return false;
    const auto rights = split_words(row->text(0));
    if (std::find(rights.begin(), rights.end(), "Administration") != rights.end()) return true;
  }
}

Result<bool> is_administrator(storage::Connection& connection, std::int64_t person) {
  Session session;
  session.type = SessionType::Analyst;
  session.person = person;
  CALLISTO_CHECK(read_person_access(connection, session));
  return session.may("Administration");
}

Result<std::optional<std::int64_t>> find_role(storage::Connection& connection, const std::string& name) {
  static const Sql sql(
      "SELECT \"Ref\" FROM \"role\" WHERE \"Name\" = ?1 AND COALESCE(\"IsDeleted\", 0) = 0 ORDER BY \"Ref\" LIMIT 1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(name)}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::optional(row->integer(0)) : std::nullopt;
}

Result<std::int64_t> put_role(storage::Connection& connection, const Role& role, const storage::Stamp& stamp) {
  static const storage::NewRows roles("role", {"Name", "Rights", "AllPartitions"});
  static const storage::NewRows openings("role_partition", {"Role", "Partition"});
  static const Sql replace(
      "UPDATE \"role\" SET \"Rights\" = ?2, \"AllPartitions\" = ?3, \"UpdatedDate\" = ?4, "
      "\"RecordVersion\" = \"RecordVersion\" + 1 WHERE \"Ref\" = ?1");
  static const Sql clear("DELETE FROM \"role_partition\" WHERE \"Role\" = ?1");
  const Value rights(join_words(role.rights)), all(!role.partitions.has_value());
  CALLISTO_TRY(std::optional<std::int64_t> ref, find_role(connection, role.name));
  if (ref) {
    CALLISTO_CHECK(connection.execute(replace, {Value(*ref), rights, all, Value(stamp.now)}));
  } else {
    CALLISTO_TRY(ref, roles.insert(connection, {Value(role.name), rights, all}, stamp));
  }
  CALLISTO_CHECK(connection.execute(clear, {Value(*ref)}));
  if (role.partitions)
    for (const std::int64_t partition : *role.partitions)
      CALLISTO_CHECK(openings.insert(connection, {Value(*ref), Value(partition)}, stamp));
  return *ref;
}

Result<void> assign_role(storage::Connection& connection, std::int64_t person, std::int64_t role,
                         const storage::Stamp& stamp) {
  static const storage::NewRows rows("person_role", {"Person", "Role"});
  static const Sql sql(
      "SELECT \"Ref\" FROM \"person_role\" WHERE \"Person\" = ?1 AND \"Role\" = ?2 "
      "AND COALESCE(\"IsDeleted\", 0) = 0");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(person), Value(role)}));
  CALLISTO_TRY(const bool has_it, row->step());
  if (!has_it) CALLISTO_CHECK(rows.insert(connection, {Value(person), Value(role)}, stamp));
  return {};
}

Result<void> read_person_access(storage::Connection& connection, Session& session) {
  static const Sql roles(
      "SELECT r.\"Rights\", r.\"AllPartitions\" FROM \"role\" r JOIN \"person_role\" p ON p.\"Role\" = r.\"Ref\" "
      "WHERE p.\"Person\" = ?1 AND COALESCE(p.\"IsDeleted\", 0) = 0 AND COALESCE(r.\"IsDeleted\", 0) = 0");
  static const Sql partitions(
      "SELECT DISTINCT o.\"Partition\" FROM \"role_partition\" o JOIN \"person_role\" p ON p.\"Role\" = o.\"Role\" "
      "JOIN \"role\" r ON r.\"Ref\" = o.\"Role\" WHERE p.\"Person\" = ?1 AND o.\"Partition\" IS NOT NULL "
      "AND COALESCE(o.\"IsDeleted\", 0) = 0 AND COALESCE(p.\"IsDeleted\", 0) = 0 "
      "AND COALESCE(r.\"IsDeleted\", 0) = 0 ORDER BY o.\"Partition\"");
  return read_access(connection, roles, partitions, session.person.value_or(0), session);
}

Result<void> read_role_access(storage::Connection& connection, std::optional<std::int64_t> role, Session& session) {
  static const Sql roles(
      "SELECT \"Rights\", \"AllPartitions\" FROM \"role\" WHERE \"Ref\" = ?1 AND COALESCE(\"IsDeleted\", 0) = 0");
  static const Sql partitions(
      "SELECT DISTINCT o.\"Partition\" FROM \"role_partition\" o JOIN \"role\" r ON r.\"Ref\" = o.\"Role\" "
      "WHERE o.\"Role\" = ?1 AND o.\"Partition\" IS NOT NULL AND COALESCE(o.\"IsDeleted\", 0) = 0 "
      "AND COALESCE(r.\"IsDeleted\", 0) = 0 ORDER BY o.\"Partition\"");
  return read_access(connection, roles, partitions, role.value_or(0), session);
}

Result<void> read_session_access(storage::Connection& connection, Session& session) {
  if (session.person) return read_person_access(connection, session);
  CALLISTO_TRY(const auto client, find_client(connection, session.client_id));
  return read_role_access(connection, client ? client->role : std::nullopt, session);
}

}  // namespace callisto::auth
