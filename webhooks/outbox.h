// Outbox: events become deliveries in the transaction that makes the change, so that what committed is told, whatever
// dies afterwards (trust.md A.2). Nothing is written where no active webhook cares. It also keeps the rules of webhooks
// and deliveries themselves. One for each transaction, its thread; the parts are shared and outlive it.
#pragma once

#include "engine/base/random.h"
#include "engine/base/sealer.h"
#include "engine/events/sink.h"
#include "engine/storage/database.h"
#include "webhooks/address_policy.h"
#include "webhooks/desk.h"
#include "webhooks/exchange.h"
#include "webhooks/payload.h"
#include "webhooks/queue.h"
#include "webhooks/subscriptions.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callisto::webhooks {

struct OutboxParts {
  Subscriptions& subscriptions;
  const Sealer& sealer;
  Random& random;
  const RequestMaker& maker;
  AddressPolicy policy;
  bool include_attachments = false;  // webhooks.include_attachments
  // After the commit: webhooks that have something to send; or, where `changed`, were changed themselves. Any thread.
  std::function<void(const std::vector<std::int64_t>& webhooks, bool changed)> wake;
};

class Outbox final : public events::Sink {
 public:
  Outbox(const OutboxParts& parts, storage::Connection& connection, std::unique_ptr<Desk> desk)
      : parts_(parts), connection_(connection), desk_(std::move(desk)) {}

  Result<void> emit(const events::Event& event) override;
  void committed() override;

 private:
  Result<void> tell(const events::Event& event);
  Result<void> deliver(const Subscription& subscription, const Happening& happening, const events::Event& event);
  Result<void> enqueue_failed(const NewDelivery& delivery, std::string_view why, DateTime now);
  Result<void> keep_log(const Payload& payload, std::int64_t webhook, std::int64_t delivery, DateTime now);
  Result<void> on_webhook(const events::Event& event);
  Result<void> on_delivery(const events::Event& event);
  Result<void> show_preview(const events::Event& event);
  Result<void> redeliver_failed(const events::Event& event);

  const OutboxParts& parts_;
  storage::Connection& connection_;
  std::unique_ptr<Desk> desk_;
  std::optional<KnownSubscriptions> known_;  // to this transaction
  std::vector<std::int64_t> woken_;
  bool changed_ = false;  // a webhook itself
};

}  // namespace callisto::webhooks
