// What the dispatcher writes: in one transaction what ended, what it gives back, and what it takes next.
#include "webhooks/dispatcher.h"

#include "engine/base/log.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace callisto::webhooks {

namespace {

constexpr std::size_t most_outcomes = 96;
constexpr std::size_t most_lanes = 64;       // in one transaction
constexpr std::int64_t soon_ms = 1'000;      // a retry that is due by then keeps the lane
constexpr std::int64_t first_pause_ms = 20;  // before a lane that another has is asked for again

}  // namespace

std::size_t Dispatcher::slow_room() const {
  const auto most = std::max<long long>(1, std::llround(static_cast<double>(options_.slots) * options_.slow_part));
  const auto used = static_cast<long long>(slow_);
  return used < most ? static_cast<std::size_t>(most - used) : 0;
}

// With many webhooks at work each takes less ahead.
std::size_t Dispatcher::share() const {
  return std::clamp(std::size_t{8} * options_.slots / std::max<std::size_t>(1, lanes_.size()), options_.per_webhook,
                    options_.ahead);
}

std::size_t Dispatcher::room(bool failing, std::size_t used) const {
  if (failing && slow_room() == 0) return 0;
  const std::size_t most = failing ? 1 : share();
  return used < most ? most - used : 0;
}

bool Dispatcher::wants_claim(const Lane& lane, DateTime now) const {
  if (draining_ || !has_few(lane)) return false;
  return (lane.look || (lane.next_retry && *lane.next_retry <= now)) &&
         room(lane.webhook.failing(), lane.ready.size() + lane.in_flight) > 0;
}

// What was in flight when another took it has to end first: of one record two would be on their way.
bool Dispatcher::wants_lane(const Lane& lane, DateTime now) const {
  if (draining_ || lane.lost || clock_.steady_ms() < lane.take_after) return false;
  return lane.look || lane.changed || (lane.next_retry && *lane.next_retry <= now);
}

bool Dispatcher::wants_write(const Lane& lane, DateTime now) const {
  if (is_shared() && !lane.lease) return wants_lane(lane, now);
  if (wants_record(lane) || lane.changed || wants_claim(lane, now)) return true;
  if (!lane.lease) return false;
  const bool idle = is_idle(lane) && (!lane.next_retry || lane.next_retry->ms > now.ms + soon_ms);
  return idle || wants_lease(lane);
}

// While there is more to send, several successes share a commit, if nobody waits for one of them.
bool Dispatcher::wants_record(const Lane& lane) const {
  if (lane.outcomes.empty()) return false;
  const bool may_wait = !draining_ && !lane.some_wait && !has_few(lane);
  return !may_wait || lane.outcomes.size() >= most_outcomes || clock_.steady_ms() >= lane.record_by;
}

bool Dispatcher::wants_lease(const Lane& lane) const {
  return is_shared() && (!lane.lease || clock_.steady_ms() >= lane.lease->renew_at);
}

std::vector<std::int64_t> Dispatcher::lanes_to_write() const {
  const DateTime now = this->now();
  // One alone after a failure, so that what cannot be written of one webhook keeps no other waiting.
  const std::size_t most = back_off_ms_ > 0 ? 1 : most_lanes;
  std::vector<std::int64_t> chosen;
  const bool any = std::any_of(lanes_.begin(), lanes_.end(), [&](auto& lane) { return wants_write(lane.second, now); });
  const auto choose = [&](auto from, auto to) {
    for (auto at = from; any && at != to && chosen.size() < most; ++at)
      if (wants_write(at->second, now) || (most > 1 && !at->second.outcomes.empty())) chosen.push_back(at->first);
  };
  const auto middle = lanes_.upper_bound(last_written_);
  choose(middle, lanes_.end());
  choose(lanes_.begin(), middle);
  return chosen;
}

// The function may run more than once: what it comes to stands in `steps`, made anew by each run, until it is applied.
bool Dispatcher::write() {
  if (clock_.steady_ms() < write_after_) return false;
  const std::vector<std::int64_t> chosen = lanes_to_write();
  if (chosen.empty() && pending_shift_ == 0) return false;
  if (!chosen.empty()) last_written_ = chosen.back();
  std::vector<Step> steps;
  std::int64_t begun = 0;
  const auto written = database_.write([&](storage::Connection& connection) -> Result<void> {
    steps.clear();
    CALLISTO_TRY(const Writing writing, begin_writing(connection, chosen));
    begun = writing.begun;
    if (pending_shift_ != 0) CALLISTO_CHECK(shift(connection, pending_shift_, writing.times.now));
    for (const std::int64_t webhook : chosen) {
      steps.emplace_back().webhook = webhook;
      CALLISTO_CHECK(write_lane(connection, steps.back(), writing));
    }
    return {};
  });
  if (!written) {
    for (const std::int64_t webhook : chosen)
      lanes_.at(webhook).some_wait = true;  // it may have committed all the same
    back_off(written.error());
    return false;
  }
  back_off_ms_ = 0;
  pending_shift_ = 0;
  for (Step& step : steps) apply(step, begun);
  return true;
}

Result<Dispatcher::Writing> Dispatcher::begin_writing(storage::Connection& connection,
                                                      const std::vector<std::int64_t>& chosen) {
  Writing writing;
  writing.times.now = now();
  writing.begun = clock_.steady_ms();
  if (!is_shared()) return writing;
  CALLISTO_CHECK(begin_lanes(connection));
  const bool any = std::any_of(chosen.begin(), chosen.end(), [&](auto ref) { return wants_lease(lanes_.at(ref)); });
  if (!any) return writing;
  // Read after the steady clock: a lease ends in the database no sooner than is thought here.
  CALLISTO_TRY(writing.lane.now, options_.common_time(connection));
  writing.lane.until = {writing.lane.now.ms + options_.lease.count()};
  return writing;
}

Result<void> Dispatcher::write_lane(storage::Connection& connection, Step& step, const Writing& writing) {
  const Lane& lane = lanes_.at(step.webhook);
  Times times{writing.times.now, since_of(lane)};
  if (!is_shared()) return write_held(connection, step, times);
  CALLISTO_TRY(const bool held, get_hold(connection, step, writing));
  if (!held) return {};
  if (step.taken) times.since = times.now;
  step.recovered = lane.recover || (step.taken && step.recovered);
  if (step.recovered) CALLISTO_CHECK(recover(connection, step.webhook, times.now, options_.schedule.hour));
  CALLISTO_CHECK(write_held(connection, step, times));
  if (step.claim && (lane.changed || step.recovered))
    CALLISTO_CHECK(note_version(connection, step.webhook, step.claim->webhook.version));
  return maybe_give_back(connection, step, times.now);
}

Result<bool> Dispatcher::get_hold(storage::Connection& connection, Step& step, const Writing& writing) {
  const Lane& lane = lanes_.at(step.webhook);
  if (lane.lease) {
    const bool renew = wants_lease(lane) && writing.lane.until.ms != 0;
    const auto until = renew ? std::optional(writing.lane.until) : std::nullopt;
    CALLISTO_TRY(const bool held, hold_lane(connection, {step.webhook, owner_, lane.lease->fence}, until));
    step.lost = !held;
    if (held && renew) step.fence = lane.lease->fence;
    return held;
  }
  CALLISTO_TRY(const auto taken, take_lane(connection, step.webhook, owner_, writing.lane));
  step.missed = !taken;
  step.taken = taken.has_value();
  if (!taken) return false;
  step.fence = taken->fence;
  step.recovered = taken->run_out || !known_.contains(step.webhook);
  return true;
}

Result<void> Dispatcher::write_held(storage::Connection& connection, Step& step, const Times& times) {
  const Lane& lane = lanes_.at(step.webhook);
  InFlight in_flight = lane.in_flight;
  if (!lane.outcomes.empty()) {
    const bool last = lane.ready.empty() && lane.in_flight == 0;
    CALLISTO_TRY(step.now, record(connection, {step.webhook, lane.outcomes, lane.some_wait, last}, times.now));
    for (const Attempt& attempt : lane.outcomes) in_flight.let_go(attempt.delivery);
  }
  const Webhook& webhook = step.now ? *step.now : lane.webhook;
  // What stands ready was taken under other conditions: others are taken under those of now.
  step.dropped = lane.changed || webhook.deleted != lane.webhook.deleted || webhook.active != lane.webhook.active ||
                 (webhook.failing() && lane.ready.size() > 1);
  if (step.dropped)
    for (const Delivery& delivery : lane.ready) {
      in_flight.let_go(delivery);
      if (lane.some_wait) CALLISTO_CHECK(let_next(connection, delivery, times.now));
    }
  const std::size_t ready = step.dropped ? 0 : lane.ready.size();
  const std::size_t total = room(webhook.failing(), ready + lane.in_flight);
  // Sooner than has_few(): what is written anyway saves a commit of its own.
  if (draining_ || (!lane.changed && (total == 0 || ready > share() / 2))) return {};
  step.room = {step.webhook,      total, std::min(total, slow_room()), lane.changed, lane.some_wait || step.recovered,
               options_.is_silent};
  CALLISTO_TRY(step.claim, claim(connection, step.room, in_flight, times));
  return {};
}

// As soon as there is nothing to do, so that the next node that has something for the webhook need not wait.
Result<void> Dispatcher::maybe_give_back(storage::Connection& connection, Step& step, DateTime now) {
  const Lane& lane = lanes_.at(step.webhook);
  if (lane.in_flight > 0 || (!step.dropped && !lane.ready.empty())) return {};
  if (!draining_) {
    if (!step.claim && !is_idle(lane)) return {};
    const auto& next = step.claim ? step.claim->next_retry : lane.next_retry;
    if (next && next->ms <= now.ms + soon_ms) return {};
    if (step.claim && (!step.claim->deliveries.empty() || step.claim->more || step.claim->retries_due)) return {};
  }
  step.given_back = true;
  const std::int64_t fence = step.fence.value_or(lane.lease ? lane.lease->fence : 0);
  return give_back_lane(connection, {step.webhook, owner_, fence});
}

void Dispatcher::apply(Step& step, std::int64_t begun) {
  Lane& lane = lanes_.at(step.webhook);
  if (step.lost) return lose(step.webhook, lane);
  if (step.missed) return miss(lane, begun);
  apply_lease(lane, step, begun);
  for (const Attempt& attempt : lane.outcomes) lane.in_flight.let_go(attempt.delivery);
  lane.outcomes.clear();
  lane.changed = false;
  if (step.dropped) {
    for (const Delivery& delivery : lane.ready) lane.in_flight.let_go(delivery);
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

void Dispatcher::apply_lease(Lane& lane, const Step& step, std::int64_t begun) {
  if (step.recovered) lane.recover = false;
  if (step.taken) {
    lane.since = now();
    known_.insert(step.webhook);
    lane.take_pause = 0;
  }
  const std::int64_t lease = options_.lease.count();
  if (step.fence) lane.lease = Lease{*step.fence, begun + lease, begun + lease / 3};
}

void Dispatcher::apply_claim(Lane& lane, Step& step) {
  Claim& claim = *step.claim;
  lane.webhook = std::move(claim.webhook);
  lane.next_retry = claim.next_retry;
  lane.some_wait = claim.some_wait;
  lane.look = claim.more || claim.deliveries.size() >= step.room.total;  // with more room there may be more
  lane.waits_for_slow = claim.retries_due && step.room.retries < step.room.total;
  if (lane.ready.empty()) lane.place = ++last_place_;
  for (Delivery& delivery : claim.deliveries) {
    lane.in_flight.take(delivery);
    lane.ready.push_back(std::move(delivery));
  }
}

// Asked for again soon, since the other may be about to give it back; later it is the survey's.
void Dispatcher::miss(Lane& lane, std::int64_t begun) {
  lane.take_pause = std::max(first_pause_ms, 2 * lane.take_pause);
  lane.take_after = begun + lane.take_pause;
  lane.changed = false;
  if (lane.take_pause < options_.survey_pause.count()) return;
  lane.look = false;
  lane.next_retry.reset();
}

// What is not written yet, and what is in flight, is the other's now.
void Dispatcher::lose(std::int64_t webhook, Lane& lane) {
  log::warning("another node has taken over webhook " + std::to_string(webhook) + "; what became of " +
               std::to_string(lane.outcomes.size()) + " deliveries is not written");
  const std::size_t in_flight = lane.in_flight;
  lane = Lane();
  lane.in_flight = in_flight;
  lane.lost = in_flight > 0;
}

}  // namespace callisto::webhooks
