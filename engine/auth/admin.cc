#include "engine/auth/admin.h"

#include "engine/auth/person.h"
#include "engine/auth/words.h"

#include <algorithm>

namespace callisto::auth {

Result<void> put_client(storage::Connection& connection, const Client& client) {
  static const Sql sql(
      "INSERT INTO oauth_client (client_id, name, secret_hash, session_type, enabled, grants, redirect_uris) "
      "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT (client_id) DO UPDATE SET name = excluded.name, "
      "secret_hash = excluded.secret_hash, session_type = excluded.session_type, enabled = excluded.enabled, "
      "grants = excluded.grants, redirect_uris = excluded.redirect_uris");
  const Value secret = client.secret_hash ? Value(*client.secret_hash) : Value(Null());
  CALLISTO_CHECK(connection.execute(
      sql, {Value(client.id), Value(client.name), secret, Value(std::string(client.only ? name(*client.only) : "Any")),
            Value(client.enabled), Value(join_words(client.grants)), Value(join_words(client.redirect_uris))}));
  return {};
}

Result<void> put_role(storage::Connection& connection, const Role& role) {
  static const Sql put(
      "INSERT INTO role (ref, name, rights, all_partitions) VALUES (?1, ?2, ?3, ?4) "
      "ON CONFLICT (ref) DO UPDATE SET name = excluded.name, rights = excluded.rights, "
      "all_partitions = excluded.all_partitions");
  static const Sql clear("DELETE FROM role_partition WHERE role = ?1");
  static const Sql open("INSERT INTO role_partition (role, partition) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
  CALLISTO_CHECK(connection.execute(
      put, {Value(role.ref), Value(role.name), Value(join_words(role.rights)), Value(!role.partitions.has_value())}));
  CALLISTO_CHECK(connection.execute(clear, {Value(role.ref)}));
  if (!role.partitions) return {};
  for (const std::int64_t partition : *role.partitions)
    CALLISTO_CHECK(connection.execute(open, {Value(role.ref), Value(partition)}));
  return {};
}

Result<void> assign_role(storage::Connection& connection, std::int64_t person, std::int64_t role) {
  static const Sql sql("INSERT INTO person_role (person, role) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
  CALLISTO_CHECK(connection.execute(sql, {Value(person), Value(role)}));
  return {};
}

Result<bool> has_administrator(storage::Connection& connection) {
  static const Sql sql("SELECT p.person, r.rights FROM person_role p JOIN role r ON r.ref = p.role");
  std::vector<std::int64_t> persons;
  {
    CALLISTO_TRY(const auto rows, connection.query(sql, {}));
    for (;;) {
      CALLISTO_TRY(const bool found, rows->step());
      if (!found) break;
      const auto rights = split_words(rows->text(1));
      if (std::count(rights.begin(), rights.end(), "Administration") > 0) persons.push_back(rows->integer(0));
    }
  }
  for (const std::int64_t ref : persons) {
    CALLISTO_TRY(const auto person, find_person(connection, ref));
    if (person && person->active) return true;
  }
  return false;
}

Result<void> put_password_hash(storage::Connection& connection, std::int64_t person, const std::string& hash) {
  static const Sql sql(
      "INSERT INTO person_password (person, hash) VALUES (?1, ?2) "
      "ON CONFLICT (person) DO UPDATE SET hash = excluded.hash, failures = 0, locked_until = 0");
  CALLISTO_CHECK(connection.execute(sql, {Value(person), Value(hash)}));
  return {};
}

}  // namespace callisto::auth
