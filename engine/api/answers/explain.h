// $explain: what a query means and how the database will run it, instead of its rows.
#pragma once

#include "engine/api/api.h"
#include "engine/api/requests/query_cache.h"
#include "engine/records/search.h"

#include <optional>
#include <string>

namespace callisto::api {

// Needs the right Administration: the answer shows SQL and the values of this session (403 otherwise).
Result<void> write_explanation(const Call& call, const records::Context& context, const CompiledQuery& query,
                               std::optional<records::ParentKey> parent);

// Of a search that took long, for the log: the form of its question, how it was found, and the line of an entity file
// that would help. No value of it.
std::string slow_search(const records::Context& context, const CompiledQuery& query);

}  // namespace callisto::api
