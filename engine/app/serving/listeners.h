// The listeners to every change of records: signing in, the audit log, and webhooks. Any thread.
#pragma once

#include "engine/app/serving/webhook_records.h"
#include "engine/audit/log.h"
#include "engine/auth/service.h"
#include "engine/records/write.h"
#include "webhooks/outbox.h"

namespace callisto::app {

// References must outlive it.
records::SinkFactory make_listeners(auth::Service& auth, audit::Log& log, const webhooks::OutboxParts& outbox,
                                    WebhookRenderer& renderer);

}  // namespace callisto::app
