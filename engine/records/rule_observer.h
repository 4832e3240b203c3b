// RuleObserver: learns what rules decide about single records, and which actions are done, for the coverage of specs.
// Called in the middle of a request, on its thread; it must not fail.
#pragma once

#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/query/plan.h"

namespace callisto::records {

class RuleObserver {
 public:
  virtual ~RuleObserver() = default;
  // One of the filters that Model::rules and Model::field_rules hold.
  virtual void decided(const query::Plan& filter, bool holds) = 0;
  // With the record's state before and after it; null where it has none.
  virtual void performed(const catalog::Entity& entity, const catalog::Action& action, const Value& before,
                         const Value& after) = 0;
};

}  // namespace callisto::records
