// Which indexes hold the rows of one type. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"

#include <algorithm>

namespace callisto::catalog {

// An index in the file of an entity that extends another holds that type's rows alone, if it begins with what the other
// has too. What it begins with otherwise is null in the rows of other types.
inline bool is_of_type_alone(const Entity& entity, const Index& index) {
  return entity.parent && entity.parent->find_property(index.parts.front().property->name);
}

// The type whose rows such an index holds: the entity, or one that it extends. Null: the index holds all rows.
inline const Entity* type_of(const Index& index, const Entity& entity) {
  for (const Entity* each = &entity; each; each = each->parent) {
    const bool is_its_own =
        std::any_of(each->indexes.begin(), each->indexes.end(), [&](const Index& known) { return &known == &index; });
    if (is_its_own) return is_of_type_alone(*each, index) ? each : nullptr;
  }
  return nullptr;
}

}  // namespace callisto::catalog
