#include "engine/records/admission.h"

#include "engine/auth/person.h"
#include "engine/auth/role.h"
#include "engine/base/normal_form.h"
#include "engine/base/text.h"
#include "engine/records/differing.h"

#include <algorithm>
#include <map>
#include <vector>

namespace callisto::records {

namespace {

using Handle = script::Host::Handle;

constexpr std::string_view login_property = "LoginId";

Error nobody(std::string log_detail) {
  Error error = forbidden("Nobody with the name that the identity provider vouches for may sign in here.");
  error.log_detail = std::move(log_detail);
  return error;
}

// What the desk's own rules refuse, a name that is taken say, is the administrators' to mend.
Error refused_by_rules(const Error& why) {
  if (why.is_unavailable()) return why;
  Error error =
      forbidden("This account cannot be used here as the identity provider tells of it. Tell your administrator.");
  error.log_detail = "what scripts/sign-in.lua answers cannot be done: " + why.message +
                     (why.log_detail.empty() ? "" : " " + why.log_detail);
  return error;
}

// One Admission is one sign-in.
class Admission {
 public:
  Admission(const Context& context, Change& change, const Vouched& vouched, const script::SignInAnswer& answer,
            const storage::Stamp& stamp)
      : context_(context),
        change_(change),
        vouched_(vouched),
        answer_(answer),
        stamp_(stamp),
        persons_(*context.model.catalog().find(catalog::system::person_entity)) {}

  Result<Admitted> run() {
    CALLISTO_TRY(const auto known, auth::find_linked(context_.connection, vouched_.subject));
    if (known) return with_known(*known);
    CALLISTO_TRY(const std::string login, login_name());
    CALLISTO_TRY(const auto linked, link_by_login(login));
    if (linked) return updated(*linked, true);
    CALLISTO_CHECK(check_free(login));
    return made(login);
  }

 private:
  Result<Admitted> with_known(std::int64_t person) {
    CALLISTO_TRY(const auto found, auth::find_person(context_.connection, person));
    if (found && found->active) return updated(person, false);
    return nobody("person " + std::to_string(person) + ", whom the subject is linked with, is " +
                  (found ? "not active" : "deleted"));
  }

  // Anybody could claim an address that the provider has not verified.
  Result<std::string> login_name() const {
    const auto given = answer_.person.find(login_property);
    if (given == answer_.person.end()) return vouched_.login_name;
    const auto* text = std::get_if<std::string>(&given->second);
    const std::string name(text ? text::trim_blanks(*text) : std::string_view());
    const auto same = [&](const std::string& other) {
      return !name.empty() && text::upper(name) == text::upper(other);
    };
    if (same(vouched_.unverified_email) && !same(vouched_.login_name))
      return nobody(
          "scripts/sign-in.lua takes LoginId from the e-mail address, and 'email_verified' is not true: anybody "
          "could claim that address");
    return name;
  }

  Result<std::optional<std::int64_t>> link_by_login(const std::string& login) const {
    if (login.empty()) return std::optional<std::int64_t>();
    return auth::link_by_login(context_.connection, vouched_.subject, login, stamp_);
  }

  // That nobody has the name who is not active, or linked with another subject.
  Result<void> check_free(const std::string& login) const {
    if (login.empty()) return {};
    CALLISTO_TRY(const auto other, auth::find_person_by_login(context_.connection, login));
    if (!other) return {};
    return nobody("person " + std::to_string(other->ref) + " has the login name " + text::quoted(login) + " and " +
                  (other->active ? "is linked with another subject of this provider" : "is not active"));
  }

  Result<Admitted> made(const std::string& login) {
    script::NamedValues values = answer_.person;
    if (!login.empty()) values.insert_or_assign(std::string(login_property), Value(login));
    const auto person = change_.create(persons_, values);
    if (!person) return refused_by_rules(person.error());
    const std::int64_t key = change_.record(*person).key();
    CALLISTO_CHECK(auth::link(context_.connection, vouched_.subject, key, stamp_));
    return with_roles(key, true);
  }

  // Changes nothing where all is as the rule says, so that a sign-in is no event.
  Result<Admitted> updated(std::int64_t key, bool is_new_link) {
    CALLISTO_TRY(const auto person, change_.find(persons_, {key}));
    if (!person) return nobody("person " + std::to_string(key) + " is deleted");
    const auto changed = differing(change_.record(*person), answer_.person);
    if (!changed) return refused_by_rules(changed.error());
    if (!changed->empty())
      if (const auto done = change_.act(*person, "update", *changed); !done) return refused_by_rules(done.error());
    return with_roles(key, is_new_link);
  }

  Result<Admitted> with_roles(std::int64_t person, bool is_new_link) {
    if (const auto done = give_roles(person); !done) return refused_by_rules(done.error());
    if (const auto done = change_.finish(); !done) return refused_by_rules(done.error());
    CALLISTO_TRY(const auto now, auth::find_person(context_.connection, person));
    if (!now || !now->active)
      return nobody("scripts/sign-in.lua leaves person " + std::to_string(person) + " inactive");
    return Admitted{person, is_new_link};
  }

  // Of the roles that the rule decides on.
  Result<void> give_roles(std::int64_t person) {
    const auto& gives = context_.model.program->sign_in->gives;
    const catalog::Entity* rows = context_.model.catalog().find("person-role");
    if (gives.empty() || !rows) return {};
    CALLISTO_TRY(auto held, held_by(*rows, person));
    for (const std::string& name : gives) {
      const bool is_due = std::count(answer_.roles.begin(), answer_.roles.end(), name) > 0;
      CALLISTO_TRY(const auto role, auth::find_role(context_.connection, name));
      if (!role && is_due)
        return bad_format("there is no role " + text::quoted(name) + "; make it, or take it out of 'gives'");
      if (!role) continue;
      const auto has = held.find(*role);
      if (is_due && has == held.end()) CALLISTO_CHECK(give(*rows, person, *role));
      if (!is_due && has != held.end())
        for (const Handle row : has->second) CALLISTO_CHECK(change_.act(row, "delete", {}));
    }
    return {};
  }

  Result<void> give(const catalog::Entity& rows, std::int64_t person, std::int64_t role) {
    const auto made = change_.create(rows, {{"Person", Value(person)}, {"Role", Value(role)}});
    return made ? Result<void>() : made.error();
  }

  Result<std::map<std::int64_t, std::vector<Handle>>> held_by(const catalog::Entity& rows, std::int64_t person) {
    const catalog::Property& of = *rows.find_property("Person");
    const catalog::Property& role = *rows.find_property("Role");
    CALLISTO_TRY(const auto found, change_.search(rows, script::Host::Match{{&of, {Value(person)}}}));
    std::map<std::int64_t, std::vector<Handle>> held;
    for (const Handle each : found) {
      const Value value = change_.get(each, role);
      const auto* key = std::get_if<std::int64_t>(&value);
      if (key && !is_deleted(change_.record(each))) held[*key].push_back(each);
    }
    return held;
  }

  const Context& context_;
  Change& change_;
  const Vouched& vouched_;
  const script::SignInAnswer& answer_;
  const storage::Stamp& stamp_;
  const catalog::Entity& persons_;
};

}  // namespace

Result<Admitted> admit(const Context& context, Change& change, const Vouched& vouched,
                       const script::SignInAnswer& answer, const storage::Stamp& stamp) {
  return Admission(context, change, vouched, answer, stamp).run();
}

}  // namespace callisto::records
