// Access: what a session may read, as a limit for statements, and which actions it may do (API rules 6.10, 2.10).
// Sessions of the same type and rights share one. Part of the Model; any thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/query/emit_sql.h"

#include <map>
#include <memory>
#include <set>
#include <shared_mutex>
#include <string>

namespace callisto::records {

struct Model;

class AccessRules {
 public:
  struct Limits {
    std::size_t number = 0;  // tells them apart
    query::Access by_type;
    const std::set<const catalog::Entity*>* with_unknown_types = nullptr;  // the model's; null: none
    std::set<const catalog::Entity*> readable;  // those with a type of which some rows may be read
    std::map<const catalog::Entity*, std::vector<query::RowLimit>> actions;  // one for each of Entity::actions
    query::Fields fields, writable;  // which properties it may read, and which it may give a value
  };
  // Alive as long as this and the model, whose rules are bound.
  const Limits& of(const Model& model, const auth::Session& session) const;

 private:
  mutable std::shared_mutex mutex_;
  mutable std::map<std::string, std::unique_ptr<const Limits>, std::less<>> cache_;  // by type and rights
};

// Null where the session may read all properties.
inline const query::Fields* fields_of(const AccessRules::Limits& access) {
  return access.fields.empty() ? nullptr : &access.fields;
}

// Whether there can be records of the entity, or of what extends it, that such a session may read.
inline bool may_read(const AccessRules::Limits& access, const catalog::Entity& entity) {
  return access.readable.count(&entity) != 0;
}

}  // namespace callisto::records
