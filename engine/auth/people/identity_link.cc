#include "engine/auth/people/identity_link.h"

#include "engine/auth/identity.h"
#include "engine/auth/person.h"

namespace callisto::auth {

Result<std::optional<std::int64_t>> find_linked_person(const GrantContext& context, const std::string& issuer,
                                                       const std::string& subject, const std::string& login_name) {
  const Subject whom{issuer, subject};
  CALLISTO_TRY(auto person,
               context.reader.read([&](storage::Connection& connection) { return find_linked(connection, whom); }));
  bool is_new = false;
  if (!person && !login_name.empty())
    CALLISTO_CHECK(context.database.write([&](storage::Connection& connection) -> Result<void> {
      CALLISTO_TRY(person, find_linked(connection, whom));  // another request was faster
      is_new = !person;
      if (!is_new) return {};
      CALLISTO_TRY(person, link_by_login(connection, whom, login_name, {context.clock.now(), context.random}));
      return {};
    }));
  if (is_new && person) note_link(context.audit, *person, whom);
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
    CALLISTO_CHECK(auth::link(connection, {link.issuer, link.subject}, link.person, {link.made, stamp.random}));
  CALLISTO_CHECK(connection.execute(clear, {}));
  return {};
}

}  // namespace callisto::auth
