// The `_links` of an entity's metadata (templates) and of a record (filled in): Get, Search, sub-resources, lookups
// (decisions.md 3.1, 3.2). Any thread.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/json/write.h"
#include "engine/query/plan.h"
#include "engine/records/search.h"

#include <string_view>

namespace callisto::api {

// Both write members into an object that the caller has begun.
void write_entity_links(json::Writer& writer, const catalog::Entity& entity, std::string_view version);

// Lookups are linked where the row holds a key of theirs among its columns. `self`: "call/7".
void write_record_links(json::Writer& writer, const catalog::Entity& entity, std::string_view self,
                        const query::Plan& plan, const records::Row& row, std::string_view version);

}  // namespace callisto::api
