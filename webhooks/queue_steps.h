// What the parts of the queue share.
#pragma once

#include "webhooks/queue.h"

namespace callisto::webhooks {

// One that is not stored counts as deleted.
Result<Webhook> find_webhook(storage::Connection& connection, std::int64_t ref);

// let_next() for each record of a webhook that has some waiting.
Result<void> let_heads(storage::Connection& connection, std::int64_t webhook, DateTime now);

// A webhook's Status once one of its deliveries has this status (webhooks/README.md, "When it fails").
char status_after(char webhook_status, char delivery_status);
Result<void> set_status(storage::Connection& connection, std::int64_t webhook, char status);
// Once deliveries were cancelled: where none is being retried any more, the webhook's Status does not go on to say so.
Result<void> settle_status(storage::Connection& connection, Webhook& webhook);

}  // namespace callisto::webhooks
