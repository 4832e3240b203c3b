// Database over PostgreSQL 13 or newer, which several processes may share (decisions/0015). Any thread.
#pragma once

#include "engine/storage/database.h"

#include <chrono>
#include <string>

namespace callisto::storage {

// The url is libpq's. A text that is no such url is an error that does not repeat it.
Result<void> check_postgres_url(const std::string& url);
Result<std::unique_ptr<Database>> open_postgres(const DatabaseOptions& options);

// SET statements of each session that reads.
std::string postgres_reader_settings(std::chrono::milliseconds deadline);

}  // namespace callisto::storage
