#include "engine/app/serving/webhook_owner.h"

#include "engine/auth/person.h"
#include "engine/auth/role.h"

namespace callisto::app {

Result<OwnerSession> owner_session(storage::Connection& connection, std::optional<std::int64_t> owner) {
  if (!owner) return OwnerSession{{}, "the webhook has no owner: change it, or have it handed over to somebody"};
  const std::string told = "the owner, person " + std::to_string(*owner) + ", ";
  CALLISTO_TRY(const auto person, auth::find_person(connection, *owner));
  if (!person || !person->active) return OwnerSession{{}, told + "is deleted or not active"};
  if (!person->may_hold(auth::SessionType::Analyst)) return OwnerSession{{}, told + "is no analyst"};
  OwnerSession found;
  found.session.emplace();
  found.session->type = auth::SessionType::Analyst;
  found.session->person = owner;
  CALLISTO_CHECK(auth::read_person_access(connection, *found.session));
  if (!found.session->may("Integration")) return OwnerSession{{}, told + "does not have the right Integration"};
  return found;
}

}  // namespace callisto::app
