// The link to the next page of a search (decision 0040): `$after` is a token that holds the last row's value for each
// key of the order, signed together with the query and the person that it is valid for. Pure; any thread.
#pragma once

#include "engine/api/api.h"
#include "engine/api/requests/query_cache.h"
#include "engine/query/options.h"

#include <optional>
#include <string>
#include <vector>

namespace callisto::api {

// The values that Options::after stands for. 400 where the token was changed, or holds for another query or person.
Result<std::vector<Value>> open_position(const Call& call, const query::Options& options);

// The option of the url that begins behind the row under the cursor: $after, of groups $skip. Nothing where its texts
// are too long for a url.
std::optional<std::string> next_place(const Call& call, const CompiledQuery& query, const records::Row& row);

// What of a query's options all its pages have in common, as CompiledQuery::walk.
std::string text_of_walk(const query::Options& options);

}  // namespace callisto::api
