// What the SQL of engine/query relies on, registered on every connection: collation `folded`, and contains_folded,
// starts_with_folded, ends_with_folded(text, needle) -> 1 or 0, NULL if one of them is NULL. The needle is already
// folded.
#pragma once

#include "engine/base/result.h"

#include <sqlite3.h>

namespace callisto::storage {

Result<void> register_functions(sqlite3* db);

}  // namespace callisto::storage
