// The parents that history and files belong to (API rule 2.14): such rows are visible exactly where their parent is.
// Rows of other lists merely name theirs. Pure; any thread.
#pragma once

#include "engine/catalog/catalog.h"

#include <vector>

namespace callisto::catalog {

// A list whose rows hang on a record of `parent`: they say of what kind it is, or cannot be without it.
struct Holder {
  const Entity* parent = nullptr;
  const SubResource* list = nullptr;
};

// Rows of such a list, as history and files, go with the record; of others they stay when it is deleted, as a webhook's
// deliveries do.
bool is_part(const SubResource& list);

// What rows of `entity`, of what it extends and of its children may hang on.
std::vector<Holder> holders_of(const Catalog& catalog, const Entity& entity);

// By which rows would hang on themselves in the end, each on the parent of the next; empty where there are none.
std::vector<Holder> circle_of_holders(const Catalog& catalog);

}  // namespace callisto::catalog
