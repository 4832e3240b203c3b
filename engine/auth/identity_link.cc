#include "engine/auth/identity_link.h"

#include "engine/auth/person.h"

namespace callisto::auth {

namespace {

Result<std::optional<std::int64_t>> find_link(storage::Connection& connection, const std::string& issuer,
                                              const std::string& subject) {
  static const Sql sql("SELECT person FROM identity_link WHERE issuer = ?1 AND subject = ?2");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(issuer), Value(subject)}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::optional(row->integer(0)) : std::nullopt;
}

Result<bool> is_linked(storage::Connection& connection, const std::string& issuer, std::int64_t person) {
  static const Sql sql("SELECT 1 FROM identity_link WHERE issuer = ?1 AND person = ?2");
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(issuer), Value(person)}));
  return row->step();
}

Result<std::optional<std::int64_t>> link(storage::Connection& connection, const std::string& issuer,
                                         const std::string& subject, const std::string& login_name, DateTime now) {
  static const Sql sql("INSERT INTO identity_link (issuer, subject, person, linked_at) VALUES (?1, ?2, ?3, ?4)");
  CALLISTO_TRY(const auto known, find_link(connection, issuer, subject));  // another request was faster
  if (known) return known;
  CALLISTO_TRY(const auto person, find_person_by_login(connection, login_name));
  if (!person || !person->active) return std::optional<std::int64_t>();
  CALLISTO_TRY(const bool taken, is_linked(connection, issuer, person->ref));
  if (taken) return std::optional<std::int64_t>();
  CALLISTO_CHECK(connection.execute(sql, {Value(issuer), Value(subject), Value(person->ref), Value(now)}));
  return std::optional(person->ref);
}

}  // namespace

Result<std::optional<std::int64_t>> find_linked_person(const GrantContext& context, const std::string& issuer,
                                                       const std::string& subject, const std::string& login_name) {
  CALLISTO_TRY(auto person, context.reader.read([&](storage::Connection& connection) {
    return find_link(connection, issuer, subject);
  }));
  if (!person && !login_name.empty())
    CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(person, link(connection, issuer, subject, login_name, context.clock.now()));
      return {};
    }));
  if (!person) return person;
  CALLISTO_TRY(const auto found,
               context.reader.read([&](storage::Connection& connection) { return find_person(connection, *person); }));
  if (!found || !found->active) person.reset();
  return person;
}

}  // namespace callisto::auth
