// The searches of scripts and specs in the language of $filter: desk.search, desk.first and desk.count. Scripts act for
// the desk, so no right or partition limits what they find; specs search as their session. The context's thread.
#pragma once

#include "engine/records/search.h"
#include "engine/script/host.h"

#include <cstdint>
#include <vector>

namespace callisto::records {

enum class AskedBy { Desk, Session };

// Keys in the order asked for, `most` at most: more is an error where the query names no `top`. What is wrong with the
// text of a script is its mistake (script/mistake.h).
Result<std::vector<Store::Key>> find_keys(const Context& context, const catalog::Entity& entity,
                                          const script::Host::Query& query, std::size_t most,
                                          AskedBy by = AskedBy::Desk);
Result<std::int64_t> count_all(const Context& context, const catalog::Entity& entity, const script::Host::Query& query,
                               AskedBy by = AskedBy::Desk);

}  // namespace callisto::records
