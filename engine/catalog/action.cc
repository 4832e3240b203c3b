#include "engine/catalog/action.h"

namespace callisto::catalog {

const State* StateSet::find(std::int64_t value) const {
  for (const State& each : states)
    if (each.value == value) return &each;
  return nullptr;
}

const State* StateSet::initial() const {
  for (const State& each : states)
    if (each.initial) return &each;
  return nullptr;
}

}  // namespace callisto::catalog
