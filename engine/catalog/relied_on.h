// Entities and properties that the program reads and writes by SQL of its own: those for signing in, the queue of
// webhooks. Administrators may add to these, but must keep what is listed.
#pragma once

#include "engine/catalog/builder.h"

#include <string_view>
#include <vector>

namespace callisto::catalog {

struct ReliedOn {
  std::string_view entity;
  std::string_view purpose;  // "signing in"
  DataType type = DataType::Text;
  std::vector<std::string_view> properties;  // of this type, stored as one is without further words
};

// Each entity and property of the list, and of what every row has, that is missing or of another type. A desk that has
// none of these entities does without the purpose. Pure; any thread.
std::vector<Problem> missing(const Catalog& catalog, const std::vector<ReliedOn>& list);

}  // namespace callisto::catalog
