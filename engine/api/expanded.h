// What `$expand` puts into an answer beside what its url answers (API rule 2.18).
#pragma once

#include "engine/api/api.h"

#include <string>
#include <vector>

namespace callisto::api {

// Into the record that is call.response.body: `_embedded`, each list as its own url answers it. No slot is held.
Result<void> embed_lists(const Call& call, const std::vector<Expansion>& expansions);

// The text of the entity's metadata with that of its lists.
Result<std::string> expanded_metadata(const Call& call, const std::string& expand);

}  // namespace callisto::api
