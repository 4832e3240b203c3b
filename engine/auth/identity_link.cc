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
                                         const std::string& subject, const std::string& login_name, DateTime now,
                                         bool& is_new) {
  is_new = false;
  static const Sql sql("INSERT INTO identity_link (issuer, subject, person, linked_at) VALUES (?1, ?2, ?3, ?4)");
  CALLISTO_TRY(const auto known, find_link(connection, issuer, subject));  // another request was faster
  if (known) return known;
  CALLISTO_TRY(const auto person, find_person_by_login(connection, login_name));
  if (!person || !person->active) return std::optional<std::int64_t>();
  CALLISTO_TRY(const bool taken, is_linked(connection, issuer, person->ref));
  if (taken) return std::optional<std::int64_t>();
  CALLISTO_CHECK(connection.execute(sql, {Value(issuer), Value(subject), Value(person->ref), Value(now)}));
  is_new = true;
  return std::optional(person->ref);
}

// From now on whoever has that subject is that person, whatever they are called there.
void note_link(const GrantContext& context, std::int64_t person, const std::string& issuer,
               const std::string& subject) {
  audit::Event event;
  event.kind = audit::Kind::PersonChanged;
  event.person = person;
  event.entity = "person";
  event.key = person;
  event.action = "link-identity";
  event.reason = "linked with the subject " + subject + " of " + issuer;
  context.audit.note(event);
}

}  // namespace

Result<std::optional<std::int64_t>> find_linked_person(const GrantContext& context, const std::string& issuer,
                                                       const std::string& subject, const std::string& login_name) {
  CALLISTO_TRY(auto person, context.reader.read([&](storage::Connection& connection) {
    return find_link(connection, issuer, subject);
  }));
  bool is_new = false;
  if (!person && !login_name.empty())
    CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(person, link(connection, issuer, subject, login_name, context.clock.now(), is_new));
      return {};
    }));
  if (is_new) note_link(context, *person, issuer, subject);
  if (!person) return person;
  CALLISTO_TRY(const auto found,
               context.reader.read([&](storage::Connection& connection) { return find_person(connection, *person); }));
  if (!found || !found->active) person.reset();
  return person;
}

}  // namespace callisto::auth
