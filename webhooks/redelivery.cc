#include "webhooks/redelivery.h"

#include "webhooks/queue.h"
#include "webhooks/snapshot.h"
#include "webhooks/subscriptions.h"

#include <vector>

namespace callisto::webhooks {

namespace {

constexpr std::size_t most_late = 500;  // payloads made in one transaction; another call makes more

}  // namespace

Result<bool> may_still_be_told(RecordSource& source, std::string_view entity, std::int64_t key,
                               std::optional<std::int64_t> owner) {
  if (entity.empty()) return true;
  const catalog::Entity* type = source.catalog().find_written(entity);
  if (!type) return false;
  return source.satisfies({type, key, std::nullopt, owner}, {});
}

Result<std::int64_t> redeliver_failed(storage::Connection& connection, RecordSource& source, std::int64_t webhook,
                                      const Period& period, DateTime now, Random& random) {
  CALLISTO_TRY(const auto subscription, find_subscription(connection, webhook));
  if (!subscription) return record_not_found("There is no webhook " + std::to_string(webhook) + ".");
  CALLISTO_TRY(const std::string silent, source.why_silent(subscription->owner));
  if (!silent.empty()) return invalid_state("Nothing is sent: " + silent + ".");
  CALLISTO_TRY(const auto failed, failed_deliveries(connection, webhook, period.from, period.to));
  std::vector<std::int64_t> again;
  std::size_t late = 0;
  for (const FailedDelivery& each : failed) {
    CALLISTO_TRY(const bool may, may_still_be_told(source, each.entity_type, each.entity_ref, subscription->owner));
    if (may && !each.is_made) {
      if (++late > most_late) break;
      const auto made = make_late(connection, source, each.ref, period.all_files, now);
      if (!made && !made.error().is_refusal()) return made.error();
      if (!made || !*made) continue;
    }
    if (may) again.push_back(each.ref);
  }
  CALLISTO_CHECK(redeliver(connection, again, now, random));
  return static_cast<std::int64_t>(again.size());
}

}  // namespace callisto::webhooks
