// Which rows of a table belong to partitions. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"

#include <vector>

namespace callisto::catalog {

// The final types of the entity whose rows belong to a partition; the others are open to every session.
std::vector<const Entity*> partitioned_types(const Entity& entity);
std::vector<const Entity*> open_types(const Entity& entity);

// Whether the index of substrings of the entity's table keeps the rows of a partition together (base/text_numbers.h):
// some belong to one, and a key has 40 bits at the most.
bool texts_stand_by_partition(const Entity& entity);

}  // namespace callisto::catalog
