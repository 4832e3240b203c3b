#include "engine/auth/people/identity_link.h"

#include "engine/auth/person.h"
#include "engine/auth/role.h"
#include "engine/base/text.h"
#include "engine/storage/dialect.h"
#include "engine/storage/new_rows.h"

namespace callisto::auth {

namespace {

constexpr SqlLiteral not_deleted(" AND COALESCE(\"IsDeleted\", 0) = 0");

// The index on Subject ignores case, so the condition that it serves comes beside the one that decides.
Result<std::optional<std::int64_t>> find_link(storage::Connection& connection, const std::string& issuer,
                                              const std::string& subject) {
  Sql sql("SELECT \"Person\" FROM \"identity_link\" WHERE ");
  sql << connection.dialect().equals_folded(Sql("\"Subject\""), 2) << " AND \"Issuer\" = ?1 AND \"Subject\" = ?2"
      << not_deleted << " ORDER BY \"Ref\" LIMIT 1";
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(issuer), Value(subject)}));
  CALLISTO_TRY(const bool found, row->step());
  return found ? std::optional(row->integer(0)) : std::nullopt;
}

Result<bool> is_linked(storage::Connection& connection, const std::string& issuer, std::int64_t person) {
  static const Sql sql = Sql("SELECT 1 FROM \"identity_link\" WHERE \"Person\" = ?2 AND \"Issuer\" = ?1")
                         << not_deleted;
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(issuer), Value(person)}));
  return row->step();
}

Result<void> insert(storage::Connection& connection, const std::string& issuer, const std::string& subject,
                    std::int64_t person, const storage::Stamp& stamp) {
  static const storage::NewRows rows("identity_link", {"Person", "Issuer", "Subject"});
  CALLISTO_CHECK(rows.insert(connection, {Value(person), Value(issuer), Value(subject)}, stamp));
  return {};
}

Error needs_administrator(const std::string& issuer, const std::string& subject) {
  Error error = forbidden("An administrator must first link this account with the identity provider.");
  error.log_detail =
      "a person with Administration is not linked by a login name alone; an administrator makes an "
      "identity-link with the issuer " +
      text::quoted(issuer, 255) + " and the subject " + text::quoted(subject, 255);
  return error;
}

Result<std::optional<std::int64_t>> link(storage::Connection& connection, const std::string& issuer,
                                         const std::string& subject, const std::string& login_name,
                                         const storage::Stamp& stamp, bool& is_new) {
  is_new = false;
  CALLISTO_TRY(const auto known, find_link(connection, issuer, subject));  // another request was faster
  if (known) return known;
  CALLISTO_TRY(const auto person, find_person_by_login(connection, login_name));
  if (!person || !person->active) return std::optional<std::int64_t>();
  CALLISTO_TRY(const bool taken, is_linked(connection, issuer, person->ref));
  if (taken) return std::optional<std::int64_t>();
  // Whoever names accounts there must not be able to name an administrator of this desk.
  CALLISTO_TRY(const bool administrates, is_administrator(connection, person->ref));
  if (administrates) return needs_administrator(issuer, subject);
  CALLISTO_CHECK(insert(connection, issuer, subject, person->ref, stamp));
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
      CALLISTO_TRY(person,
                   link(connection, issuer, subject, login_name, {context.clock.now(), context.random}, is_new));
      return {};
    }));
  if (is_new) note_link(context, *person, issuer, subject);
  if (!person) return person;
  CALLISTO_TRY(const auto found,
               context.reader.read([&](storage::Connection& connection) { return find_person(connection, *person); }));
  if (!found || !found->active) person.reset();
  return person;
}

Result<void> adopt_old_links(storage::Connection& connection, const storage::Stamp& stamp) {
  static const Sql all("SELECT issuer, subject, person, linked_at FROM identity_link_before");
  static const Sql clear("DELETE FROM identity_link_before");
  struct Link {
    std::string issuer, subject;
    std::int64_t person = 0;
    DateTime made;
  };
  std::vector<Link> links;
  {
    CALLISTO_TRY(const auto row, connection.query(all, {}));
    for (;;) {
      CALLISTO_TRY(const bool more, row->step());
      if (!more) break;
      links.push_back({std::string(row->text(0)), std::string(row->text(1)), row->integer(2), {row->integer(3)}});
    }
  }
  if (links.empty()) return {};
  for (const Link& link : links)
    CALLISTO_CHECK(insert(connection, link.issuer, link.subject, link.person, {link.made, stamp.random}));
  CALLISTO_CHECK(connection.execute(clear, {}));
  return {};
}

}  // namespace callisto::auth
