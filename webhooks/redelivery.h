// Sends past deliveries again, as far as the webhook's owner may still read their records. Inside a WriteFunction.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/storage/database.h"
#include "webhooks/record_source.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace callisto::webhooks {

// Whether the owner sees that record now; true where a delivery is of none (an empty entity).
Result<bool> may_still_be_told(RecordSource& source, std::string_view entity, std::int64_t key,
                               std::optional<std::int64_t> owner);

// What failed of a webhook, of those that were made from `from` on and before `to`; how many are on their way again.
struct Period {
  DateTime from, to;
  bool all_files = false;  // webhooks.include_attachments, for a payload that is made only now
};
Result<std::int64_t> redeliver_failed(storage::Connection& connection, RecordSource& source, std::int64_t webhook,
                                      const Period& period, DateTime now, Random& random);

}  // namespace callisto::webhooks
