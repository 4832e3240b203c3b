// What the parts of the queue share.
#pragma once

#include "webhooks/queue.h"

namespace callisto::webhooks {

// One that is not stored counts as deleted.
Result<Webhook> find_webhook(storage::Connection& connection, std::int64_t ref);

// let_next() for each record of a webhook that has some waiting.
Result<void> let_heads(storage::Connection& connection, std::int64_t webhook, DateTime now);

// A webhook's Status once one of its deliveries has this status (decisions.md 10.5).
char status_after(char webhook_status, char delivery_status);

}  // namespace callisto::webhooks
