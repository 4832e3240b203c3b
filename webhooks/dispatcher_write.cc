// What the dispatcher writes, in one transaction: the ended deliveries, those it gives back, and those it takes next.
#include "webhooks/dispatcher.h"

#include "engine/base/log.h"

#include <algorithm>
#include <utility>

namespace callisto::webhooks {

// The function may run more than once: what it comes to stands in `steps`, made anew by each run, until it is applied.
bool Dispatcher::write() {
  if (!planner_.may_write(clock_.steady_ms())) return false;
  const std::vector<std::int64_t> chosen = planner_.choose_lanes(moment());
  const std::int64_t clock_step = planner_.pending_shift();
  if (chosen.empty() && clock_step == 0) return false;
  std::vector<Step> steps;
  std::int64_t begun = 0;
  const auto written = database_.write([&](storage::Connection& connection) -> Result<void> {
    steps.clear();
    CALLISTO_TRY(const Writing writing, begin_writing(connection, chosen));
    begun = writing.begun;
    if (clock_step != 0) CALLISTO_CHECK(shift(connection, clock_step, writing.times.now));
    for (const std::int64_t webhook : chosen) {
      steps.emplace_back().webhook = webhook;
      CALLISTO_CHECK(write_lane(connection, steps.back(), writing));
    }
    return {};
  });
  if (!written) {
    planner_.not_written(chosen);
    back_off(written.error());
    return false;
  }
  planner_.written();
  for (Step& step : steps) {
    if (step.lost)
      log::warning("another node has taken over webhook " + std::to_string(step.webhook) + "; what became of " +
                   std::to_string(planner_.lane(step.webhook).outcomes.size()) + " deliveries is not written");
    planner_.apply(step, begun, moment().now);
  }
  return true;
}

Result<Dispatcher::Writing> Dispatcher::begin_writing(storage::Connection& connection,
                                                      const std::vector<std::int64_t>& chosen) {
  const Moment at = moment();
  Writing writing;
  writing.times.now = at.now;
  writing.begun = at.steady;
  if (!planner_.is_shared()) return writing;
  CALLISTO_CHECK(begin_lanes(connection));
  const auto wants_lease = [&](auto ref) { return planner_.wants_lease(planner_.lane(ref), clock_.steady_ms()); };
  if (!std::any_of(chosen.begin(), chosen.end(), wants_lease)) return writing;
  // Read after the steady clock: a lease ends in the database no sooner than is thought here.
  CALLISTO_TRY(writing.lane.now, options_.common_time(connection));
  writing.lane.until = {writing.lane.now.ms + options_.lease.count()};
  return writing;
}

Result<void> Dispatcher::write_lane(storage::Connection& connection, Step& step, const Writing& writing) {
  const Lane& lane = planner_.lane(step.webhook);
  Times times{writing.times.now, planner_.since_of(lane)};
  if (!planner_.is_shared()) return write_held(connection, step, times);
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
  const Lane& lane = planner_.lane(step.webhook);
  if (lane.lease) {
    const bool renew = planner_.wants_lease(lane, clock_.steady_ms()) && writing.lane.until.ms != 0;
    const auto until = renew ? std::optional(writing.lane.until) : std::nullopt;
    CALLISTO_TRY(const bool held, hold_lane(connection, {step.webhook, planner_.owner(), lane.lease->fence}, until));
    step.lost = !held;
    if (held && renew) step.fence = lane.lease->fence;
    return held;
  }
  CALLISTO_TRY(const auto taken, take_lane(connection, step.webhook, planner_.owner(), writing.lane));
  step.missed = !taken;
  step.taken = taken.has_value();
  if (!taken) return false;
  step.fence = taken->fence;
  step.recovered = taken->run_out || planner_.is_first(step.webhook);
  return true;
}

Result<void> Dispatcher::write_held(storage::Connection& connection, Step& step, const Times& times) {
  const Lane& lane = planner_.lane(step.webhook);
  InFlight held = lane.held;
  if (!lane.outcomes.empty()) {
    const bool last = lane.ready.empty() && lane.in_flight == 0;
    CALLISTO_TRY(step.now, record(connection, {step.webhook, lane.outcomes, lane.some_wait, last}, times.now));
    for (const Attempt& attempt : lane.outcomes) held.let_go(attempt.delivery);
  }
  const Webhook& webhook = step.now ? *step.now : lane.webhook;
  step.dropped = Planner::drops(lane, webhook);
  if (step.dropped)
    for (const Delivery& delivery : lane.ready) {
      held.let_go(delivery);
      if (lane.some_wait) CALLISTO_CHECK(let_next(connection, delivery, times.now));
    }
  const auto room = planner_.room_for(lane, step, webhook);
  if (!room) return {};
  step.room = *room;
  step.room.is_silent = options_.is_silent;
  CALLISTO_TRY(step.claim, claim(connection, step.room, held, times));
  return {};
}

Result<void> Dispatcher::maybe_give_back(storage::Connection& connection, Step& step, DateTime now) {
  const Lane& lane = planner_.lane(step.webhook);
  step.given_back = planner_.gives_back(lane, step, now);
  if (!step.given_back) return {};
  const std::int64_t fence = step.fence.value_or(lane.lease ? lane.lease->fence : 0);
  return give_back_lane(connection, {step.webhook, planner_.owner(), fence});
}

}  // namespace callisto::webhooks
