// Keys of new rows, handed out in blocks by the application (trust.md E.3), so that no database needs a sequence of its
// own. Inside a WriteFunction only. What a rolled-back write took is given out again by SQLite; PostgreSQL leaves a
// gap.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string_view>

namespace callisto::storage {

// The first of `count` (at least 1) keys of `table` that follow each other; the very first is 1.
Result<std::int64_t> next_ids(Connection& connection, std::string_view table, std::int64_t count);

// For rows that came with their key: next_ids gives only greater ones from now on.
Result<void> keep_ids_above(Connection& connection, std::string_view table, std::int64_t used);

}  // namespace callisto::storage
