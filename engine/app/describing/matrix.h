// The rules for people: for each entity with states, a table of states and actions that shows who may do each action in
// each state. Pure; any thread.
#pragma once

#include "engine/records/model.h"

#include <string>
#include <vector>

namespace callisto::app {

// Entities whose tables say the same share one.
std::string matrix_of(const records::Model& model, const std::vector<const catalog::Entity*>& entities);

}  // namespace callisto::app
