// Which indexes hold the rows of one type. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"

#include <algorithm>

namespace callisto::catalog {

// An index in the file of an entity that extends another, and which begins with what that has too: the rows of all
// other types would be in it. What it begins with otherwise is null in those, and `where` leaves them out.
inline bool is_of_type_alone(const Entity& entity, const Index& index) {
  return entity.parent && entity.parent->find_property(index.parts.front().property->name);
}

// The index is one of those, of the entity or of what it extends.
inline bool is_of_type_alone(const Entity& entity, const Index* index) {
  for (const Entity* each = &entity; each; each = each->parent)
    for (const Index& known : each->indexes)
      if (&known == index) return is_of_type_alone(*each, known);
  return false;
}

inline bool has_index_of_type(const Entity& entity) {
  return std::any_of(entity.indexes.begin(), entity.indexes.end(),
                     [&](const Index& index) { return is_of_type_alone(entity, index); });
}

}  // namespace callisto::catalog
