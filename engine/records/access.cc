#include "engine/records/access.h"

#include "engine/records/model.h"

#include <algorithm>
#include <mutex>

namespace callisto::records {

namespace {

using catalog::Action;
using catalog::Entity;

// As `allowed` names it.
const char* session_type(const auth::Session& session) {
  return session.person ? auth::name(session.type) : "Anonymous";
}

// Whether the session's roles have the right for the entity or what it extends, by a name that it had as well.
bool has_right(const auth::Session& session, const Entity& entity, std::string_view right) {
  const std::string suffix = ":" + std::string(right);
  if (session.may("*" + suffix)) return true;
  for (const Entity* each = &entity; each; each = each->parent) {
    if (session.may(each->name + suffix)) return true;
    for (const std::string& former : each->formerly)
      if (session.may(former + suffix)) return true;
  }
  return false;
}

// The grantees of an action's `allowed` that mean this session: its type, or a right that it has. Analysts work by the
// rights of their roles, so these count too; what others may do stands in the scripts alone (API rule 6.10).
bool is_granted_to(const auth::Session& session, const Entity& entity, const Action& action, std::string_view grantee) {
  if (grantee != session_type(session)) return session.may(std::string(grantee));
  return session.type != auth::SessionType::Analyst || has_right(session, entity, catalog::traits(action.kind).right);
}

query::RowLimit limit_of(const Model& model, const auth::Session& session, const Entity& entity, const Action& action) {
  query::RowLimit limit{false, &action, {}};
  const Rule* rule = model.rule(entity, action);
  for (const auto& [grantee, grant] : action.allowed) {
    if (!is_granted_to(session, entity, action, grantee)) continue;
    if (grant.kind == catalog::Grant::Kind::Always) limit.all = true;
    if (grant.kind == catalog::Grant::Kind::Where && rule) limit.any_of.push_back(rule->allowed.at(grantee).get());
  }
  return limit;
}

// A property is granted by the type of the session or by a right of its roles; the record was granted before.
query::RowLimit limit_of(const auth::Session& session, const catalog::Grants& grants,
                         const std::map<std::string, std::shared_ptr<const query::Plan>, std::less<>>& filters) {
  query::RowLimit limit;
  for (const auto& [grantee, grant] : grants) {
    if (grantee != session_type(session) && !session.may(grantee)) continue;
    if (grant.kind == catalog::Grant::Kind::Always) limit.all = true;
    if (grant.kind == catalog::Grant::Kind::Where) limit.any_of.push_back(filters.at(grantee).get());
  }
  return limit;
}

void add_fields(const Model& model, const auth::Session& session, AccessRules::Limits& limits) {
  for (const auto& [property, rule] : model.field_rules) {
    if (property->read) limits.fields.limit(*property, limit_of(session, *property->read, rule.read));
    if (property->write) limits.writable.limit(*property, limit_of(session, *property->write, rule.write));
  }
}

AccessRules::Limits limits_of(const Model& model, const auth::Session& session) {
  AccessRules::Limits limits;
  if (!model.with_unknown_types.empty()) limits.with_unknown_types = &model.with_unknown_types;
  for (const auto& entity : model.catalog().entities()) {
    auto& actions = limits.actions[entity.get()];
    for (const Action* action : entity->actions) actions.push_back(limit_of(model, session, *entity, *action));
    if (const Action* restore = entity->restore;
        restore && std::find(entity->actions.begin(), entity->actions.end(), restore) == entity->actions.end())
      actions.push_back(limit_of(model, session, *entity, *restore));
    if (!entity->abstract)
      limits.by_type.emplace(entity.get(),
                             entity->read ? limit_of(model, session, *entity, *entity->read) : query::RowLimit{});
  }
  add_fields(model, session, limits);
  for (const auto& [type, limit] : limits.by_type)
    for (const Entity* each = type; each && (limit.all || !limit.any_of.empty()); each = each->parent)
      limits.readable.insert(each);
  return limits;
}

// Without a person a session of an analyst's type is Anonymous as well, but is_granted_to tells it from others.
std::string key_of(const auth::Session& session) {
  std::string key = session_type(session);
  key.append("/").append(auth::name(session.type));
  for (const std::string& right : session.rights) key.append(",").append(right);
  return key;
}

}  // namespace

const AccessRules::Limits& AccessRules::of(const Model& model, const auth::Session& session) const {
  std::string key = key_of(session);
  {
    const std::shared_lock lock(mutex_);
    if (const auto found = cache_.find(key); found != cache_.end()) return *found->second;
  }
  auto limits = std::make_unique<Limits>(limits_of(model, session));
  const std::unique_lock lock(mutex_);
  limits->number = cache_.size();
  return *cache_.emplace(std::move(key), std::move(limits)).first->second;
}

}  // namespace callisto::records
