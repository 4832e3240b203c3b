// Records that a session may see: in its partitions, granted to it by `read`, and below a parent that it may see too.
// For one record in memory, the same answer as the limits of query/sql/tables.h. The context's thread.
#pragma once

#include "engine/records/context.h"
#include "engine/records/record.h"

#include <cstdint>
#include <optional>

namespace callisto::records {

// Nothing where there is none, it is deleted, or this session may not see it.
Result<std::optional<Record>> find_visible(const Context& context, const catalog::Entity& entity, std::int64_t key);

// The same question for a record that is loaded whole; deleted ones may be visible.
Result<bool> is_visible(const Context& context, const Record& record);

// The text of the 404 for a record that is not found.
Error not_visible(const catalog::Entity& entity);

}  // namespace callisto::records
