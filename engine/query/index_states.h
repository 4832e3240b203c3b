// The states of records between what a filter asks and what it is asked for: an index that has them there serves by a
// walk for each of the few states (decision 0045). Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace callisto::query {

// Some that the catalog knows; or those between two of them, of which there are none but by accident; or null.
struct States {
  std::vector<std::int64_t> known;
  std::optional<std::int64_t> from, to;  // of the range too
};

// Either list has all values, and null.
struct StatesBetween {
  const catalog::Property* state = nullptr;
  std::vector<States> apart;     // each known one by itself
  std::vector<States> together;  // the known ones first, as one
};

// What else the filter may ask of a row. None: nothing. PassedOver: what no index leads to.
enum class Others { None, PassedOver };

// An index has the states between all that the filter asks to be equal and the first property of the order, and no
// other index has that order there. Beside the equalities the filter may ask for a range of that property.
std::optional<StatesBetween> states_before_order(const Plan& plan, Others others = Others::None);

// The same for a property of which the filter asks a range.
std::optional<StatesBetween> states_before_range(const Plan& plan);

}  // namespace callisto::query
