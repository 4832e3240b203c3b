// Query text -> CompiledQuery: parsed, bound, turned to SQL and given its row writer; kept in the QueryCache.
#pragma once

#include "engine/api/api.h"
#include "engine/query/options.h"

#include <memory>
#include <string>

namespace callisto::api {

enum class QueryKind { Search, Record };

// Compiled before, as far as the cache still has it; null: `compiled` makes it. Needs no slot.
std::shared_ptr<const CompiledQuery> known_query(const Call& call, const catalog::Entity& entity, QueryKind kind,
                                                 const catalog::SubResource* below);

// From the cache, or compiled with `slot`'s scripts. The cache key holds all that the result depends on.
Result<std::shared_ptr<const CompiledQuery>> compiled(const Call& call, const catalog::Entity& entity, QueryKind kind,
                                                      const catalog::SubResource* below, records::Slot& slot);

// How `child` rows are found below a parent of type `entity` (API rules 4.6, 2.15).
query::Parent parent_of(const catalog::SubResource& sub, const catalog::Entity& entity);

}  // namespace callisto::api
