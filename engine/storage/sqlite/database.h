// Database over one SQLite file: many readers, one writer thread, one process that writes. Any thread.
#pragma once

#include "engine/storage/database.h"

namespace callisto::storage {

// `path` may be ":memory:". Such a database is a file in a folder of its own below the system's temporary one, removed
// at the end: memory databases of SQLite that several connections share lock readers and writer out against each other.
Result<std::unique_ptr<Database>> open_sqlite(const std::string& path, const DatabaseOptions& options);

}  // namespace callisto::storage
