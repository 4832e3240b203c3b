// The line of an entity file that would let a search be found, ordered or counted in one index, if no existing index
// does so (catalog::Index). Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace callisto::query {

struct IndexAdvice {
  const catalog::Entity* entity = nullptr;  // in whose file it belongs
  std::vector<catalog::Index::Part> parts;

  std::string line() const;  // index { "State", "LoggedDate" }
  bool operator==(const IndexAdvice&) const = default;
};

// Nothing where an index leads as far already, or where none of ours could: a key, a part of a text, another's
// property.
std::optional<IndexAdvice> advice_on(const Plan& plan);

}  // namespace callisto::query
