// The listeners to every change of records: signing in, the audit log, and webhooks. Any thread.
#pragma once

#include "engine/app/serving/webhook_records.h"
#include "engine/audit/log.h"
#include "engine/auth/service.h"
#include "engine/records/write.h"
#include "webhooks/outbox.h"

#include <functional>
#include <memory>

namespace callisto::app {

// One more listener of a transaction; null: nobody else listens.
using OtherListener = std::function<std::unique_ptr<events::Sink>()>;

// References must outlive it.
records::SinkFactory make_listeners(auth::Service& auth, audit::Log& log, const webhooks::OutboxParts& outbox,
                                    WebhookRenderer& renderer, const OtherListener& other);

}  // namespace callisto::app
