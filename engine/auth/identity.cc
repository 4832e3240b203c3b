#include "engine/auth/identity.h"

#include "engine/auth/person.h"
#include "engine/auth/role.h"
#include "engine/base/text.h"
#include "engine/storage/dialect.h"

namespace callisto::auth {

namespace {

constexpr SqlLiteral not_deleted(" AND COALESCE(\"IsDeleted\", 0) = 0");

Result<bool> is_linked(storage::Connection& connection, const std::string& issuer, std::int64_t person) {
  static const Sql sql = Sql("SELECT 1 FROM \"identity_link\" WHERE \"Person\" = ?2 AND \"Issuer\" = ?1")
                         << not_deleted;
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(issuer), Value(person)}));
  return row->step();
}

Error needs_administrator(const Subject& subject) {
  Error error = forbidden("An administrator must first link this account with the identity provider.");
  error.log_detail =
      "a person with Administration is not linked by a login name alone; an administrator makes an "
      "identity-link with the issuer " +
      text::quoted(subject.issuer, 255) + " and the subject " + text::quoted(subject.subject, 255);
  return error;
}

}  // namespace

// The index on Subject ignores case, so the condition that it serves comes beside the one that decides.
Result<std::optional<std::int64_t>> find_linked(storage::Connection& connection, const Subject& subject) {
  Sql sql("SELECT \"Person\" FROM \"identity_link\" WHERE ");
  sql << connection.dialect().equals_folded(Sql("\"Subject\""), 2) << " AND \"Issuer\" = ?1 AND \"Subject\" = ?2"
      << not_deleted << " ORDER BY \"Ref\" LIMIT 1";
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(subject.issuer), Value(subject.subject)}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::optional(row->integer(0)) : std::nullopt;
}

Result<void> link(storage::Connection& connection, const Subject& subject, std::int64_t person,
                  const storage::Stamp& stamp) {
  static const storage::NewRows rows("identity_link", {"Person", "Issuer", "Subject"});
  CALLISTO_CHECK(rows.insert(connection, {Value(person), Value(subject.issuer), Value(subject.subject)}, stamp));
  return {};
}

Result<std::optional<std::int64_t>> link_by_login(storage::Connection& connection, const Subject& subject,
                                                  const std::string& login_name, const storage::Stamp& stamp) {
  CALLISTO_TRY(const auto person, find_person_by_login(connection, login_name));
  if (!person || !person->active) return std::optional<std::int64_t>();
  CALLISTO_TRY(const bool taken, is_linked(connection, subject.issuer, person->ref));
  if (taken) return std::optional<std::int64_t>();
  // Whoever names accounts there must not be able to name an administrator of this desk.
  CALLISTO_TRY(const bool administrates, is_administrator(connection, person->ref));
  if (administrates) return needs_administrator(subject);
  CALLISTO_CHECK(link(connection, subject, person->ref, stamp));
  return std::optional(person->ref);
}

void note_link(audit::Sink& audit, std::int64_t person, const Subject& subject) {
  audit::Event event;
  event.kind = audit::Kind::PersonChanged;
  event.person = person;
  event.entity = "person";
  event.key = person;
  event.action = "link-identity";
  event.reason = "linked with the subject " + subject.subject + " of " + subject.issuer;
  audit.note(event);
}

}  // namespace callisto::auth
