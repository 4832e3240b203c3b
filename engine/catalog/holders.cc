#include "engine/catalog/holders.h"

#include <algorithm>

namespace callisto::catalog {

namespace {

bool holds(const SubResource& list) { return is_part(list) || list.link->required; }

bool is_inherited(const Entity& entity, const SubResource& list) {
  if (!entity.parent) return false;
  const auto& above = entity.parent->sub_resources;
  return std::any_of(above.begin(), above.end(), [&](const SubResource& each) {
    return each.entity == list.entity && each.link == list.link && each.type_link == list.type_link;
  });
}

// A lookup may lead to more than the entity that has the list.
const Entity& linked_by(const SubResource& list, const Entity& entity) {
  return list.type_link || !list.link->target ? entity : *list.link->target;
}

}  // namespace

bool is_part(const SubResource& list) { return list.type_link || list.link->is_key; }

std::vector<Holder> holders_of(const Catalog& catalog, const Entity& entity) {
  std::vector<Holder> holders;
  for (const auto& each : catalog.entities())
    for (const SubResource& list : each->sub_resources) {
      const bool lists = entity.is_or_extends(*list.entity) || list.entity->is_or_extends(entity);
      if (!lists || !holds(list) || is_inherited(*each, list)) continue;
      const Entity& parent = linked_by(list, *each);
      if (&parent.root() != &entity.root()) holders.push_back({&parent, &list});  // or rows would hang on themselves
    }
  return holders;
}

}  // namespace callisto::catalog
