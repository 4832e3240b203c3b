#include "engine/catalog/holders.h"

#include <algorithm>
#include <set>

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

using Chain = std::vector<Holder>;

// Whether going up from `entity` leads to an entity of `above` again; `chain` is then how.
bool leads_back(const Catalog& catalog, const Entity& entity, std::set<const Entity*>& above,
                std::set<const Entity*>& known, Chain& chain) {
  if (above.count(&entity.root()) > 0) return true;
  if (!known.insert(&entity).second) return false;
  above.insert(&entity.root());
  for (const Holder& holder : holders_of(catalog, entity)) {
    chain.push_back(holder);
    if (leads_back(catalog, *holder.parent, above, known, chain)) return true;
    chain.pop_back();
  }
  above.erase(&entity.root());
  return false;
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

std::vector<Holder> circle_of_holders(const Catalog& catalog) {
  std::set<const Entity*> above, known;
  Chain chain;
  for (const auto& entity : catalog.entities()) {
    if (!leads_back(catalog, *entity, above, known, chain)) continue;
    const Entity& again = chain.back().parent->root();
    while (&chain.front().list->entity->root() != &again) chain.erase(chain.begin());  // the way there
    return chain;
  }
  return {};
}

}  // namespace callisto::catalog
