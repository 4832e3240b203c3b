// Which rows an index of several properties has. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"

namespace callisto::catalog {

// It has no rows in which its first property is null, though its definition does not say so: most lookups of most
// records are empty, and who looks for the empty ones says `indexed`. Every record has a state, by which all of them
// may be sorted. `entity`: which declares it.
inline bool is_of_values_alone(const Entity& entity, const Index& index) {
  const Property& first = *index.parts.front().property;
  const bool is_state = entity.states && entity.states->property == &first;
  return first.type == DataType::Lookup && !first.indexed && first.name != system::partition && !is_state &&
         index.set.empty();
}

}  // namespace callisto::catalog
