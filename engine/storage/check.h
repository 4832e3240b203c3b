// Whether the file of a database is whole: pages that hang together, rows that have their index entries. Errors are for
// the operator: the reason stands in log_detail.
#pragma once

#include "engine/base/result.h"

#include <string>
#include <vector>

namespace callisto::storage {

// Reads all of it, beside a running server too: about a second for 50 MB. What is wrong, 20 lines at most; empty:
// nothing. An error where it cannot even be opened.
Result<std::vector<std::string>> check_file(const std::string& url);

}  // namespace callisto::storage
