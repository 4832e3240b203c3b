// The states of records between what a filter asks and what it is asked for: an index that has them there serves by a
// walk for each of the few states (decision 0045). Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <optional>
#include <vector>

namespace callisto::query {

struct StatesBetween {
  const catalog::Property* state = nullptr;
  std::vector<const Predicate*> equal;  // terms of the filter: the parts of the index in front of the state
};

// An index has the states between all that the filter asks to be equal and the first property of the order, and no
// other index has that order there. Beside the equalities the filter may ask for a range of that property.
std::optional<StatesBetween> states_before_order(const Plan& plan);

// The same for a property of which the filter asks a range.
std::optional<StatesBetween> states_before_range(const Plan& plan);

}  // namespace callisto::query
