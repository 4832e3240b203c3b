#include "engine/catalog/partitions.h"

#include <algorithm>

namespace callisto::catalog {
namespace {

std::vector<const Entity*> types_of(const Entity& entity, bool partitioned) {
  auto types = entity.final_types();
  std::erase_if(types, [&](const Entity* type) { return type->partitioned != partitioned; });
  return types;
}

}  // namespace

std::vector<const Entity*> partitioned_types(const Entity& entity) { return types_of(entity, true); }

std::vector<const Entity*> open_types(const Entity& entity) { return types_of(entity, false); }

bool texts_stand_by_partition(const Entity& entity) {
  const Entity& root = entity.root();
  return root.key.size() == 1 && root.key.front()->type != DataType::Long && root.find_property(system::partition) &&
         !partitioned_types(root).empty();
}

}  // namespace callisto::catalog
