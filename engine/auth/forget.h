// Removes for good what signing in keeps about a person or a client beside its record. Inside a WriteFunction.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string_view>

namespace callisto::auth {

// Of a record that is gone for good: its hashes and links. Of other entities there is nothing.
Result<void> forget(storage::Connection& connection, std::string_view entity, std::int64_t key);

}  // namespace callisto::auth
