// The write-ahead log of a writer that did not stop properly. The thread that opens the database, under its lock,
// before SQLite opens it.
#pragma once

#include "engine/base/result.h"

#include <string>

namespace callisto::storage {

bool has_log(const std::string& path);  // of the database

// Writes the log's bytes over themselves and flushes them. A flush that failed, after which writing stopped, may have
// left pages in the kernel's memory that are not on the disk and that no later flush brings there; SQLite would read
// them and append to them, and the next power cut would take all that follows.
Result<void> write_log_again(const std::string& path);

}  // namespace callisto::storage
