#include "engine/auth/grants/code_store.h"

namespace callisto::auth {

Result<void> store_code(storage::Connection& connection, const StoredCode& code) {
  static const Sql sql(
      "INSERT INTO authorization_code (hash, client, person, session_type, redirect_uri, redirect_given, "
      "code_challenge, address, expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)");
  CALLISTO_CHECK(connection.execute(
      sql, {Value(code.hash), Value(code.client), Value(code.person), Value(std::string(name(code.type))),
            Value(code.redirect_uri), Value(code.redirect_uri_given),
            code.code_challenge.empty() ? Value(Null()) : Value(code.code_challenge), Value(code.address),
            Value(code.expires)}));
  return {};
}

Result<std::optional<StoredCode>> find_code(storage::Connection& connection, const Digest& digest) {
  static const Sql sql(
      "SELECT client, person, session_type, redirect_uri, redirect_given, code_challenge, address, expires_at, "
      "used_at, "
      "session FROM authorization_code WHERE hash = ?1");
  StoredCode code;
  code.hash = stored(digest);
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(code.hash)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<StoredCode>();
  code.client = row->integer(0);
  code.person = row->integer(1);
  code.type = session_type(row->text(2)).value_or(SessionType::User);
  code.redirect_uri = row->text(3);
  code.redirect_uri_given = row->integer(4) == 1;
  if (!row->is_null(5)) code.code_challenge = row->text(5);
  code.address = row->text(6);
  code.expires.ms = row->integer(7);
  code.used = !row->is_null(8);
  if (!row->is_null(9)) code.session = row->integer(9);
  return std::optional(std::move(code));
}

Result<bool> use_code(storage::Connection& connection, const StoredCode& code, DateTime now) {
  static const Sql sql(
      "UPDATE authorization_code SET used_at = ?2 WHERE hash = ?1 AND used_at IS NULL AND expires_at > ?2");
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, {Value(code.hash), Value(now)}));
  return changed == 1;
}

Result<void> note_session_of_code(storage::Connection& connection, const StoredCode& code, std::int64_t session) {
  static const Sql sql("UPDATE authorization_code SET session = ?2 WHERE hash = ?1");
  CALLISTO_CHECK(connection.execute(sql, {Value(code.hash), Value(session)}));
  return {};
}

Result<void> take_back_codes_of_person(storage::Connection& connection, std::int64_t person) {
  static const Sql sql("DELETE FROM authorization_code WHERE person = ?1 AND used_at IS NULL");
  CALLISTO_CHECK(connection.execute(sql, {Value(person)}));
  return {};
}

Result<void> take_back_codes_of_person(storage::Connection& connection, std::int64_t person, SessionType type) {
  static const Sql sql("DELETE FROM authorization_code WHERE person = ?1 AND session_type = ?2 AND used_at IS NULL");
  CALLISTO_CHECK(connection.execute(sql, {Value(person), Value(std::string(name(type)))}));
  return {};
}

Result<void> take_back_codes_of_client(storage::Connection& connection, std::int64_t client) {
  static const Sql sql("DELETE FROM authorization_code WHERE client = ?1 AND used_at IS NULL");
  CALLISTO_CHECK(connection.execute(sql, {Value(client)}));
  return {};
}

Result<std::vector<std::pair<std::int64_t, std::string>>> redirects_of_client(storage::Connection& connection,
                                                                              std::int64_t client) {
  static const Sql sql(
      "SELECT session, redirect_uri FROM authorization_code WHERE client = ?1 AND session IS NOT NULL");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(client)}));
  std::vector<std::pair<std::int64_t, std::string>> redirects;
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return redirects;
    redirects.emplace_back(row->integer(0), row->text(1));
  }
}

}  // namespace callisto::auth
