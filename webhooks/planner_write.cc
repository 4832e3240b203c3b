// What is written: for which lanes, what each claims and gives back, and how the planner continues afterwards.
#include "webhooks/planner.h"

#include <algorithm>
#include <cmath>

namespace callisto::webhooks {

namespace {

constexpr std::size_t most_outcomes = 96;
constexpr std::size_t most_lanes = 64;       // in one transaction
constexpr std::int64_t soon_ms = 1'000;      // a retry that is due by then keeps the lane
constexpr std::int64_t first_pause_ms = 20;  // before a lane that another has is asked for again

}  // namespace

std::size_t Planner::slow_room() const {
  const auto most = std::max<long long>(1, std::llround(static_cast<double>(options_.slots) * options_.slow_part));
  const auto used = static_cast<long long>(slow_);
  return used < most ? static_cast<std::size_t>(most - used) : 0;
}

// With many webhooks at work each takes less ahead.
std::size_t Planner::share() const {
  return std::clamp(std::size_t{8} * options_.slots / std::max<std::size_t>(1, lanes_.size()), options_.per_webhook,
                    options_.ahead);
}

std::size_t Planner::room(bool failing, std::size_t used) const {
  if (failing && slow_room() == 0) return 0;
  const std::size_t most = failing ? 1 : share();
  return used < most ? most - used : 0;
}

bool Planner::wants_claim(const Lane& lane, DateTime now) const {
  if (draining_ || !has_few(lane)) return false;
  return (lane.look || (lane.next_retry && *lane.next_retry <= now)) &&
         room(lane.webhook.failing(), lane.ready.size() + lane.in_flight) > 0;
}

// What was in flight when another took it has to end first: of one record two would be on their way.
bool Planner::wants_lane(const Lane& lane, const Moment& at) const {
  if (draining_ || lane.lost || at.steady < lane.take_after) return false;
  return lane.look || lane.changed || (lane.next_retry && *lane.next_retry <= at.now);
}

bool Planner::wants_write(const Lane& lane, const Moment& at) const {
  if (is_shared() && !lane.lease) return wants_lane(lane, at);
  if (wants_record(lane, at.steady) || lane.changed || wants_claim(lane, at.now)) return true;
  if (!lane.lease) return false;
  const bool idle = is_idle(lane) && (!lane.next_retry || lane.next_retry->ms > at.now.ms + soon_ms);
  return idle || wants_lease(lane, at.steady);
}

// While there is more to send, several successes share a commit, if nobody waits for one of them.
bool Planner::wants_record(const Lane& lane, std::int64_t steady) const {
  if (lane.outcomes.empty()) return false;
  const bool may_wait = !draining_ && !lane.some_wait && !has_few(lane);
  return !may_wait || lane.outcomes.size() >= most_outcomes || steady >= lane.record_by;
}

bool Planner::wants_lease(const Lane& lane, std::int64_t steady) const {
  return is_shared() && (!lane.lease || steady >= lane.lease->renew_at);
}

std::vector<std::int64_t> Planner::choose_lanes(const Moment& at) {
  // One alone after a failure, so that what cannot be written of one webhook keeps no other waiting.
  const std::size_t most = back_off_ms_ > 0 ? 1 : most_lanes;
  std::vector<std::int64_t> chosen;
  const bool any = std::any_of(lanes_.begin(), lanes_.end(), [&](auto& lane) { return wants_write(lane.second, at); });
  const auto choose = [&](auto from, auto to) {
    for (auto lane = from; any && lane != to && chosen.size() < most; ++lane)
      if (wants_write(lane->second, at) || (most > 1 && !lane->second.outcomes.empty())) chosen.push_back(lane->first);
  };
  const auto middle = lanes_.upper_bound(last_written_);
  choose(middle, lanes_.end());
  choose(lanes_.begin(), middle);
  if (!chosen.empty()) last_written_ = chosen.back();
  return chosen;
}

bool Planner::drops(const Lane& lane, const Webhook& now) {
  return lane.changed || now.deleted != lane.webhook.deleted || now.active != lane.webhook.active ||
         (now.failing() && lane.ready.size() > 1);
}

std::optional<Room> Planner::room_for(const Lane& lane, const Step& step, const Webhook& now) const {
  const std::size_t ready = step.dropped ? 0 : lane.ready.size();
  const std::size_t total = room(now.failing(), ready + lane.in_flight);
  // Sooner than has_few(): what is written anyway saves a commit of its own.
  if (draining_ || (!lane.changed && (total == 0 || ready > share() / 2))) return std::nullopt;
  return Room{step.webhook, total, std::min(total, slow_room()), lane.changed, lane.some_wait || step.recovered, {}};
}

// As soon as there is nothing to do, so that the next node that has something for the webhook need not wait.
bool Planner::gives_back(const Lane& lane, const Step& step, DateTime now) const {
  if (lane.in_flight > 0 || (!step.dropped && !lane.ready.empty())) return false;
  if (draining_) return true;
  if (!step.claim && !is_idle(lane)) return false;
  const auto& next = step.claim ? step.claim->next_retry : lane.next_retry;
  if (next && next->ms <= now.ms + soon_ms) return false;
  return !step.claim || (step.claim->deliveries.empty() && !step.claim->more && !step.claim->retries_due);
}

void Planner::written() {
  back_off_ms_ = 0;
  pending_shift_ = 0;
}

// It may have been committed all the same.
void Planner::not_written(const std::vector<std::int64_t>& chosen) {
  for (const std::int64_t webhook : chosen) lanes_.at(webhook).some_wait = true;
}

void Planner::apply(Step& step, std::int64_t begun, DateTime now) {
  Lane& lane = lanes_.at(step.webhook);
  if (step.lost) return lose(lane);
  if (step.missed) return miss(lane, begun);
  apply_lease(lane, step, begun, now);
  for (const Attempt& attempt : lane.outcomes) lane.held.let_go(attempt.delivery);
  lane.outcomes.clear();
  lane.changed = false;
  if (step.dropped) {
    for (const Delivery& delivery : lane.ready) lane.held.let_go(delivery);
    lane.ready.clear();
    lane.look = true;
  }
  if (step.now) lane.webhook = *std::move(step.now);
  if (step.claim) apply_claim(lane, step);
  if (!step.given_back) return;
  const auto next = lane.next_retry;
  lane = Lane();  // what is known of it may be out of date when it is taken again
  lane.next_retry = next;
}

void Planner::apply_lease(Lane& lane, const Step& step, std::int64_t begun, DateTime now) {
  if (step.recovered) lane.recover = false;
  if (step.taken) {
    lane.since = now;
    known_.insert(step.webhook);
    lane.take_pause = 0;
  }
  const std::int64_t lease = options_.lease.count();
  if (step.fence) lane.lease = Lease{*step.fence, begun + lease, begun + lease / 3};
}

void Planner::apply_claim(Lane& lane, Step& step) {
  Claim& claim = *step.claim;
  lane.webhook = std::move(claim.webhook);
  lane.next_retry = claim.next_retry;
  lane.some_wait = claim.some_wait;
  lane.look = claim.more || claim.deliveries.size() >= step.room.total;  // with more room there may be more
  lane.waits_for_slow = claim.retries_due && step.room.retries < step.room.total;
  if (lane.ready.empty()) lane.place = ++last_place_;
  for (Delivery& delivery : claim.deliveries) {
    lane.held.take(delivery);
    lane.ready.push_back(std::move(delivery));
  }
}

// Asked for again soon, since the other may be about to give it back; later it is the survey's.
void Planner::miss(Lane& lane, std::int64_t begun) {
  lane.take_pause = std::max(first_pause_ms, 2 * lane.take_pause);
  lane.take_after = begun + lane.take_pause;
  lane.changed = false;
  if (lane.take_pause < options_.survey_pause.count()) return;
  lane.look = false;
  lane.next_retry.reset();
}

// What is not written yet, and what is in flight, is the other's now.
void Planner::lose(Lane& lane) {
  const std::size_t in_flight = lane.in_flight;
  lane = Lane();
  lane.in_flight = in_flight;
  lane.lost = in_flight > 0;
}

}  // namespace callisto::webhooks
