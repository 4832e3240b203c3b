#include "engine/records/access.h"

#include "engine/records/model.h"
#include "engine/records/rules.h"

#include <mutex>

namespace callisto::records {

namespace {

query::ReadLimit limit_of(const Model& model, const auth::Session& session, const catalog::Entity& entity) {
  query::ReadLimit limit{false, entity.read, {}};
  if (!entity.read) return limit;
  const Rule* rule = model.rule(entity, *entity.read);
  for (const auto& [grantee, grant] : entity.read->allowed) {
    if (!is_granted_to(session, entity, "Read", grantee)) continue;
    if (grant.kind == catalog::Grant::Kind::Always) limit.all = true;
    if (grant.kind == catalog::Grant::Kind::Where && rule) limit.any_of.push_back(rule->allowed.at(grantee).get());
  }
  return limit;
}

std::string key_of(const auth::Session& session) {
  std::string key = session_type(session);
  for (const std::string& right : session.rights) key.append(",").append(right);
  return key;
}

}  // namespace

bool is_granted_to(const auth::Session& session, const catalog::Entity& entity, std::string_view right,
                   std::string_view grantee) {
  if (grantee != session_type(session)) return session.may(std::string(grantee));
  return session.type != auth::SessionType::Analyst || has_right(session, entity, right);
}

const AccessRules::Limits& AccessRules::of(const Model& model, const auth::Session& session) const {
  std::string key = key_of(session);
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = known_.find(key); found != known_.end()) return *found->second;
  }
  auto limits = std::make_unique<Limits>();
  for (const auto& entity : model.catalog().entities())
    if (!entity->abstract) limits->by_type.emplace(entity.get(), limit_of(model, session, *entity));
  for (const auto& [type, limit] : limits->by_type)
    for (const catalog::Entity* each = type; each && (limit.all || !limit.any_of.empty()); each = each->parent)
      limits->readable.insert(each);
  const std::unique_lock lock(mutex_);
  limits->number = known_.size();
  return *known_.emplace(std::move(key), std::move(limits)).first->second;
}

bool may_read(const Model& model, const auth::Session& session, const catalog::Entity& entity) {
  return model.access.of(model, session).readable.count(&entity) != 0;
}

}  // namespace callisto::records
