// What differs between two descriptions of all entities (description.h), one line each: entities, properties,
// augmenters, states, actions, hooks and lists that were added, removed or altered, with the same change of several
// entities on one line; then the files whose functions have other text, since nothing else shows what a function does.
// A change of place does not count. Pure; any thread.
#pragma once

#include "engine/json/read.h"

#include <string>
#include <vector>

namespace callisto::app {

Result<json::Node> read_description(const std::string& text);
std::vector<std::string> catalog_changes(const json::Node& before, const json::Node& after);

}  // namespace callisto::app
