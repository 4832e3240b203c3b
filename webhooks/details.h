// What one delivery shows beyond its columns: what was sent and what came back at each attempt (decisions.md 10.7).
// Reads only; the connection's thread.
#pragma once

#include "engine/base/result.h"
#include "engine/json/write.h"
#include "engine/storage/database.h"

#include <cstdint>

namespace callisto::webhooks {

// RequestHeaders, RequestBody and AttemptLog, into the object that is open.
Result<void> write_details(storage::Connection& connection, std::int64_t delivery, json::Writer& writer);

}  // namespace callisto::webhooks
