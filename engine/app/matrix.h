// The rules for people: a table of states and actions for each entity that has states, and who may in each of them.
// Pure; any thread.
#pragma once

#include "engine/records/model.h"

#include <string>
#include <vector>

namespace callisto::app {

// Entities whose tables say the same share one.
std::string matrix_of(const records::Model& model, const std::vector<const catalog::Entity*>& entities);

}  // namespace callisto::app
