// $explain: what a query means and how the database will run it, instead of its rows.
#pragma once

#include "engine/api/api.h"
#include "engine/api/requests/query_cache.h"
#include "engine/records/search.h"

#include <optional>

namespace callisto::api {

// Needs the right Administration: the answer shows SQL and the values of this session (403 otherwise).
Result<void> write_explanation(const Call& call, const records::Context& context, const CompiledQuery& query,
                               std::optional<records::ParentKey> parent);

}  // namespace callisto::api
