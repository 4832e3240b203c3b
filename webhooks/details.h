// What one delivery shows beyond its columns: what was sent and what came back at each attempt (webhooks/README.md,
// "Redelivery and tests"). Only reads; the connection's thread.
#pragma once

#include "engine/base/result.h"
#include "engine/json/write.h"
#include "engine/storage/database.h"

#include <cstdint>

namespace callisto::webhooks {

// RequestHeaders, RequestBody and AttemptLog, into the object that is open. Without `shows_content`, for who may not
// read what was told of, both bodies are null.
Result<void> write_details(storage::Connection& connection, std::int64_t delivery, bool shows_content,
                           json::Writer& writer);

}  // namespace callisto::webhooks
