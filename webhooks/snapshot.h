// Snapshot: what is kept of an event whose payload could not be made, so that it can be made later as it would have
// been: the record's own columns are those of the event; its files and lookups are as they are now. Inside a
// WriteFunction.
#pragma once

#include "engine/base/datetime.h"
#include "engine/storage/database.h"
#include "webhooks/payload.h"
#include "webhooks/record_source.h"
#include "webhooks/subscriptions.h"

#include <cstdint>
#include <optional>

namespace callisto::webhooks {

Result<void> keep_snapshot(storage::Connection& connection, std::int64_t delivery, const Happening& happening,
                           DateTime now);

// The body of a delivery that has a snapshot, which is dropped then: the delivery and those that are sent for it have
// the body from now on. Nothing where there is no snapshot. 400: it still cannot be made, or is not wanted any more.
Result<std::optional<std::int64_t>> make_late(storage::Connection& connection, RecordSource& source,
                                              std::int64_t delivery, bool all_files, DateTime now);

}  // namespace callisto::webhooks
