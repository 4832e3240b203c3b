// A first check of a database whose last writer did not end properly.
#pragma once

#include "engine/storage/sqlite/connection.h"

namespace callisto::storage {

// An error that tells what is damaged. Looks for half a second, which is enough for about 100 MB, and logs that it did
// not see all of a larger one.
Result<void> check_after_crash(SqliteConnection& connection, const std::string& path);

}  // namespace callisto::storage
