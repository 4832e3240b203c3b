// Fields: which properties a session may read (API rule 4.12), and in which rows of an entity. Immutable once made; any
// thread.
#pragma once

#include "engine/catalog/catalog.h"

#include <map>
#include <vector>

namespace callisto::query {

struct Plan;

// For which rows of an entity something is granted, whatever their partition: all, or those that satisfy one of the
// rules.
struct RowLimit {
  bool all = false;
  const catalog::Action* action = nullptr;  // where the rules stand; null: at a property
  std::vector<const Plan*> any_of;          // bound for the entity, see bind_predicate; none: no row
  bool none() const { return !all && any_of.empty(); }
};

// By property those that not everybody may read; a mirror goes by its lookup.
class Fields {
 public:
  void limit(const catalog::Property& property, RowLimit limit) {
    limits_.insert_or_assign(&property, std::move(limit));
  }
  bool empty() const { return limits_.empty(); }
  const RowLimit* find(const catalog::Property& property) const {  // null: no limit
    if (limits_.empty()) return nullptr;
    const auto found = limits_.find(property.mirror_of ? property.mirror_of : &property);
    return found == limits_.end() || found->second.all ? nullptr : &found->second;
  }
  bool hides(const catalog::Property& property) const {  // as if there were no such property
    const RowLimit* limit = find(property);
    return limit && limit->none();
  }
  bool guards(const catalog::Property& property) const {  // null in some rows
    const RowLimit* limit = find(property);
    return limit && !limit->none();
  }

 private:
  std::map<const catalog::Property*, RowLimit> limits_;
};

inline bool hides(const Fields* fields, const catalog::Property& property) { return fields && fields->hides(property); }

}  // namespace callisto::query
