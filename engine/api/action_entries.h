// Actions as clients see them: entries of `_actions` and the metadata of one action (decisions.md 3.1, 3.2, 3.4). Pure;
// any thread.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/json/write.h"

#include <string_view>
#include <vector>

namespace callisto::api {

const char* method_of(const catalog::Action& action);

// Members of an `_actions` object. `id`: a key, or "{id}" where there is none.
void write_actions(json::Writer& writer, const catalog::Entity& entity,
                   const std::vector<const catalog::Action*>& actions, std::string_view id, std::string_view version);

// GET {entity}/$forward?$options.
void write_action_metadata(json::Writer& writer, const catalog::Entity& entity, const catalog::Action& action,
                           std::string_view id, std::string_view version);

}  // namespace callisto::api
