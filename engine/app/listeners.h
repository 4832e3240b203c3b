// Who is told of every change of records: what signing in must know, the audit log, and webhooks. Any thread.
#pragma once

#include "engine/app/webhook_records.h"
#include "engine/audit/log.h"
#include "engine/auth/service.h"
#include "engine/records/write.h"
#include "webhooks/outbox.h"

namespace callisto::app {

// References must outlive it.
records::SinkFactory make_listeners(auth::Service& auth, audit::Log& log, const webhooks::OutboxParts& outbox,
                                    WebhookRenderer& renderer);

}  // namespace callisto::app
