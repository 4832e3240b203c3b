#include "engine/auth/person.h"

#include "engine/base/capitals.h"
#include "engine/base/normal_form.h"
#include "engine/base/text.h"
#include "engine/storage/dialect.h"

namespace callisto::auth {

namespace {

Result<std::optional<Person>> first(storage::Connection& connection, const Sql& sql, Value key) {
  CALLISTO_TRY(const auto row, connection.query(sql, {std::move(key)}));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<Person>();
  return std::optional(Person{row->integer(0), row->integer(1) == 1, row->integer(2) == 1, row->integer(3) == 1});
}

// The first condition is there for the index, which ignores case; the second decides. Where a name was given to a
// second person, the active one has it. To a proxy or an identity provider "admın" is another person than "admin",
// though their capitals are the same.
Result<std::optional<Person>> find_by_name(storage::Connection& connection, std::string_view login_name) {
  if (!text::has_own_capitals(login_name)) return std::optional<Person>();
  Sql sql("SELECT \"Ref\", \"IsActive\", \"IsAnalyst\", \"IsUser\" FROM \"person\" WHERE ");
  sql << connection.dialect().equals_folded(Sql("\"LoginId\""), 1)
      << " AND \"LoginId\" = ?1 AND COALESCE(\"IsDeleted\", 0) = 0 ORDER BY COALESCE(\"IsActive\", 0) DESC, \"Ref\" "
         "LIMIT 1";
  return first(connection, sql, Value(text::upper(login_name)));
}

}  // namespace

// An import may have left a name with blanks around it, which then is the name letter for letter.
Result<std::optional<Person>> find_person_by_login(storage::Connection& connection, std::string_view login_name) {
  const std::string_view name = text::trim_blanks(login_name);
  if (name.empty()) return std::optional<Person>();
  CALLISTO_TRY(const auto person, find_by_name(connection, name));
  if (person || name == login_name) return person;
  return find_by_name(connection, login_name);
}

Result<std::optional<Person>> find_person(storage::Connection& connection, std::int64_t ref) {
  static const Sql sql(
      "SELECT \"Ref\", \"IsActive\", \"IsAnalyst\", \"IsUser\" FROM \"person\" WHERE \"Ref\" = ?1 "
      "AND COALESCE(\"IsDeleted\", 0) = 0");
  return first(connection, sql, Value(ref));
}

Result<std::string> login_of(storage::Connection& connection, std::int64_t ref) {
  static const Sql sql("SELECT COALESCE(\"LoginId\", '') FROM \"person\" WHERE \"Ref\" = ?1");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(ref)}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::string(row->text(0)) : std::string();
}

// RecordVersion stays: signing in is no change that an If-Match of somebody else should stumble over.
Result<void> note_login(storage::Connection& connection, std::int64_t ref, DateTime now) {
  static const Sql sql("UPDATE \"person\" SET \"IsLoggedIn\" = 1, \"LastLoginDate\" = ?2 WHERE \"Ref\" = ?1");
  CALLISTO_CHECK(connection.execute(sql, {Value(ref), Value(now)}));
  return {};
}

Result<void> note_last_session_ended(storage::Connection& connection, std::int64_t ref) {
  static const Sql sql("UPDATE \"person\" SET \"IsLoggedIn\" = 0 WHERE \"Ref\" = ?1");
  CALLISTO_CHECK(connection.execute(sql, {Value(ref)}));
  return {};
}

}  // namespace callisto::auth
