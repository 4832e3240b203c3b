// A copy of a database as it is at one moment, made while a server writes it: what was committed before the call is in
// it, nothing of a later moment. Errors are for the operator: the reason stands in log_detail.
#pragma once

#include "engine/base/result.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace callisto::storage {

using BackupProgress = std::function<void(std::uint64_t done_bytes, std::uint64_t all_bytes)>;

// `target` must not exist; it is on the disk when this returns. The server's write-ahead log cannot begin anew while
// the copy is made.
Result<void> back_up(const std::string& url, const std::string& target, const BackupProgress& progress);

// What is damaged in a copy, which has all damage of its source; 20 lines at most. Reads every page, but does not hold
// indexes against their rows as check_file() does. A file that nobody has open; leaves nothing beside it.
Result<std::vector<std::string>> check_copy(const std::string& path);

}  // namespace callisto::storage
