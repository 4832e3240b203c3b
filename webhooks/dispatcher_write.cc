// What the dispatcher writes: in one transaction what ended, what it gives back, and what it takes next.
#include "webhooks/dispatcher.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace callisto::webhooks {

namespace {

constexpr std::size_t few_ready = 8;    // then it is time to take more
constexpr std::size_t most_lanes = 64;  // in one transaction
constexpr std::int64_t lease_slack_ms = 15'000;

}  // namespace

std::size_t Dispatcher::slow_room() const {
  const auto most = std::max<long long>(1, std::llround(static_cast<double>(options_.slots) * options_.slow_part));
  const auto used = static_cast<long long>(slow_);
  return used < most ? static_cast<std::size_t>(most - used) : 0;
}

std::size_t Dispatcher::room(bool failing, std::size_t used) const {
  if (failing && slow_room() == 0) return 0;
  // With many webhooks at work each takes less ahead.
  const std::size_t share = std::clamp(std::size_t{8} * options_.slots / std::max<std::size_t>(1, lanes_.size()),
                                       options_.per_webhook, options_.ahead);
  const std::size_t most = failing ? 1 : share;
  return used < most ? most - used : 0;
}

bool Dispatcher::wants_claim(const Lane& lane, DateTime now) const {
  if (draining_ || lane.ready.size() > few_ready) return false;
  return (lane.look || (lane.next_retry && *lane.next_retry <= now)) &&
         room(lane.webhook.failing(), lane.ready.size() + lane.in_flight) > 0;
}

std::vector<std::int64_t> Dispatcher::lanes_to_write() const {
  const DateTime now = clock_.now();
  // One alone after a failure, so that what cannot be written of one webhook keeps no other waiting.
  const std::size_t most = back_off_ms_ > 0 ? 1 : most_lanes;
  std::vector<std::int64_t> chosen;
  const auto choose = [&](auto from, auto to) {
    for (auto at = from; at != to && chosen.size() < most; ++at)
      if (!at->second.outcomes.empty() || at->second.changed || wants_claim(at->second, now))
        chosen.push_back(at->first);
  };
  const auto middle = lanes_.upper_bound(last_written_);
  choose(middle, lanes_.end());
  choose(lanes_.begin(), middle);
  return chosen;
}

bool Dispatcher::write() {
  if (clock_.steady_ms() < write_after_) return false;
  std::vector<Step> steps;
  for (const std::int64_t ref : lanes_to_write()) steps.push_back({ref, false, {}, {}, {}});
  if (steps.empty() && pending_shift_ == 0) return false;
  if (!steps.empty()) last_written_ = steps.back().webhook;
  const DateTime now = clock_.now();
  const Lessee lessee{owner_, now, {now.ms + options_.timeout.count() + lease_slack_ms}, since_};
  const auto written = database_.write([&](storage::Connection& connection) -> Result<void> {
    if (pending_shift_ != 0) CALLISTO_CHECK(shift(connection, pending_shift_, now));
    for (Step& step : steps) CALLISTO_CHECK(write_lane(connection, step, lessee));
    return {};
  });
  if (!written) {
    back_off(written.error());
    return false;
  }
  back_off_ms_ = 0;
  pending_shift_ = 0;
  for (Step& step : steps) apply(step);
  return true;
}

Result<void> Dispatcher::write_lane(storage::Connection& connection, Step& step, const Lessee& lessee) {
  const Lane& lane = lanes_.at(step.webhook);
  if (!lane.outcomes.empty()) {
    CALLISTO_TRY(step.now, record(connection, step.webhook, lane.outcomes, owner_, lessee.now));
  }
  const Webhook& webhook = step.now ? *step.now : lane.webhook;
  // What stands ready was taken under other conditions: others are taken under those of now.
  step.dropped = lane.changed || webhook.deleted != lane.webhook.deleted || webhook.active != lane.webhook.active ||
                 (webhook.failing() && lane.ready.size() > 1);
  if (step.dropped)
    for (const Delivery& delivery : lane.ready) CALLISTO_CHECK(release(connection, delivery.ref, owner_, lessee.now));
  const std::size_t ready = step.dropped ? 0 : lane.ready.size();
  const std::size_t total = room(webhook.failing(), ready + lane.in_flight);
  if (draining_ || (!lane.changed && (total == 0 || ready > few_ready))) return {};
  step.room = {step.webhook, total, std::min(total, slow_room()), lane.changed};
  CALLISTO_TRY(step.claim, claim(connection, step.room, lessee));
  return {};
}

void Dispatcher::apply(Step& step) {
  Lane& lane = lanes_.at(step.webhook);
  lane.outcomes.clear();
  lane.changed = false;
  if (step.dropped) {
    lane.ready.clear();
    lane.look = true;
  }
  if (step.now) lane.webhook = *std::move(step.now);
  if (!step.claim) return;
  Claim& claim = *step.claim;
  lane.webhook = std::move(claim.webhook);
  lane.next_retry = claim.next_retry;
  lane.look = claim.more || claim.deliveries.size() >= step.room.total;  // with more room there may be more
  lane.waits_for_slow = claim.retries_due && step.room.retries < step.room.total;
  for (Delivery& delivery : claim.deliveries) lane.ready.push_back(std::move(delivery));
}

}  // namespace callisto::webhooks
