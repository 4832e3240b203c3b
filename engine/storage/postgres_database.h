// Database over PostgreSQL 13 or newer, which several processes may share (decisions/0015). Any thread.
#pragma once

#include "engine/storage/database.h"

namespace callisto::storage {

// The url is libpq's. A text that is no such url is an error that does not repeat it.
Result<std::unique_ptr<Database>> open_postgres(const DatabaseOptions& options);

}  // namespace callisto::storage
