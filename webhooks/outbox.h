// Outbox: turns events into deliveries in the transaction that makes the change, so that every committed change is
// delivered, whatever dies afterwards (webhooks/README.md, "What you can rely on"). Nothing is written if no active
// webhook wants the event. It also enforces the rules of webhooks and deliveries themselves. One per transaction, its
// thread; the parts are shared and outlive it.
//
// Requires: the transaction's thread; the parts outlive it. Invariants: exactly the committed changes are delivered.
#pragma once

#include "engine/base/random.h"
#include "engine/base/sealer.h"
#include "engine/events/sink.h"
#include "engine/storage/database.h"
#include "webhooks/address_policy.h"
#include "webhooks/payload.h"
#include "webhooks/queue.h"
#include "webhooks/record_source.h"
#include "webhooks/subscriptions.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace callisto::webhooks {

// What was not told; of this process, any thread.
struct Untold {
  std::atomic<std::uint64_t> rounds = 0;   // events that deliveries led to, one by the other, too often
  std::atomic<std::uint64_t> unmade = 0;   // deliveries whose payload could not be made
  std::atomic<std::uint64_t> unowned = 0;  // events of webhooks whose owner may own none
};

struct OutboxParts {
  Subscriptions& subscriptions;
  const Sealer& sealer;
  Random& random;
  AddressPolicy policy;
  bool include_attachments = false;  // webhooks.include_attachments
  // After the commit: webhooks that have something to send; or, where `changed`, were changed themselves. Any thread.
  std::function<void(const std::vector<std::int64_t>& webhooks, bool changed)> wake;
  Untold& untold;
};

using OpenRecordSource = std::function<std::unique_ptr<RecordSource>()>;  // for one event

class Outbox final : public events::Sink {
 public:
  Outbox(const OutboxParts& parts, storage::Connection& connection, OpenRecordSource open_source)
      : parts_(parts), connection_(connection), open_source_(std::move(open_source)) {}

  Result<void> emit(const events::Event& event) override;
  Result<void> replacing(const events::Replaced& bytes) override;
  void committed() override;

 private:
  Result<void> tell(const events::Event& event);
  // Of one event: what is rendered alike is rendered and kept once.
  struct Rendered {
    const Subscription* subscription = nullptr;
    Payload payload;
    std::int64_t body = 0;
  };
  struct Telling {
    const events::Event& event;
    RecordSource& source;
    std::vector<Rendered> rendered = {};
  };
  Result<const Rendered*> render(Telling& telling, const Subscription& subscription, const Happening& happening);
  Result<bool> is_wanted(RecordSource& source, const Subscription& subscription, const Happening& happening);
  Result<void> deliver(Telling& telling, const Subscription& subscription, const Happening& happening);
  Result<std::int64_t> enqueue_failed(const NewDelivery& delivery, std::string_view why, DateTime now);
  Result<void> keep_log(const Payload& payload, std::int64_t webhook, std::int64_t delivery, DateTime now);
  Result<void> on_webhook(const events::Event& event);
  Result<void> on_delivery(const events::Event& event);
  Result<void> begin_ping(const events::Event& event, std::int64_t webhook);
  Result<void> check_redelivery(RecordSource& source, const events::Event& event, std::optional<std::int64_t> owner);

  const OutboxParts& parts_;
  storage::Connection& connection_;
  const OpenRecordSource open_source_;
  std::optional<KnownSubscriptions> known_;  // to this transaction
  std::vector<std::int64_t> woken_;
  bool changed_ = false;               // a webhook itself
  std::vector<std::string> warnings_;  // to be told once all of it is committed
  std::uint64_t rounds_ = 0, unmade_ = 0, unowned_ = 0;
};

}  // namespace callisto::webhooks
