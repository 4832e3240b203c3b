// What the dispatcher finds out by itself: that a clock was set, and which webhooks have something to do.
#include "webhooks/dispatcher.h"

#include "engine/base/log.h"

#include <cmath>
#include <utility>

namespace callisto::webhooks {

namespace {

constexpr std::int64_t step_of_clock_ms = 5'000;

}  // namespace

// The wall clock was set: waits go on as the steady clock counts them. Beside other nodes the database's
// clock counts instead; but a machine that slept, its steady clock too, may have lost its lanes.
void Dispatcher::note_clock() {
  const std::int64_t offset = clock_.now().ms - clock_.steady_ms();
  const std::int64_t step = offset - std::exchange(clock_offset_, offset);
  if (std::abs(step) <= step_of_clock_ms) return;
  if (!is_shared()) {
    log::warning("the clock was set by " + std::to_string(step) + " ms; retries of webhooks move with it");
    return move_times(step);
  }
  next_survey_ = clock_.steady_ms();
  for (auto& [ref, lane] : lanes_)
    if (lane.lease) lane.lease->sure_until = lane.lease->renew_at = 0;
}

Result<void> Dispatcher::read_common_time() {
  CALLISTO_TRY(const DateTime time, options_.common_time(*reader_));
  const std::int64_t offset = time.ms - clock_.steady_ms();
  const std::int64_t step = offset - std::exchange(common_offset_, offset);
  if (std::abs(step) <= step_of_clock_ms || lanes_.empty()) return {};
  log::warning("the database's clock was set by " + std::to_string(step) + " ms; retries of webhooks do not move");
  for (auto& [ref, lane] : lanes_) {
    lane.recover = lane.changed = true;
    if (lane.lease) lane.lease->sure_until = lane.lease->renew_at = 0;
  }
  return {};
}

void Dispatcher::move_times(std::int64_t ms) {
  const auto move = [ms](DateTime& time) { time.ms += ms; };
  const auto move_delivery = [&](Delivery& delivery) {
    move(delivery.first);
    move(delivery.deadline);
  };
  pending_shift_ += ms;
  move(since_);
  for (auto& [ref, flight] : flights_) move_delivery(flight.delivery);
  for (auto& [ref, lane] : lanes_) {
    for (Delivery& delivery : lane.ready) move_delivery(delivery);
    if (lane.next_retry) move(*lane.next_retry);
    for (Attempt& attempt : lane.outcomes) {
      move(attempt.first);
      move(attempt.deadline);
      if (attempt.next) move(*attempt.next);
    }
  }
}

// A look at all webhooks, in case a wake never came.
void Dispatcher::survey() {
  next_survey_ = clock_.steady_ms() + options_.survey_pause.count();
  const auto clock = is_shared() ? read_common_time() : Result<void>();
  const auto found = clock ? waiting(*reader_) : clock.error();
  if (!found) {
    back_off(found.error());
    next_survey_ = write_after_;
    return;
  }
  for (const Waiting& one : *found) note_waiting(one);
  if (!options_.is_silent) return;
  for (auto& [ref, lane] : lanes_) {
    const auto silent = lane.ready.empty() ? Result<bool>(false) : options_.is_silent(*reader_, lane.webhook.owner);
    if (!silent || *silent) lane.changed = true;
  }
}

void Dispatcher::note_waiting(const Waiting& one) {
  const bool with_another = is_shared() && !one.owner.empty() && one.owner != owner_;
  const bool run_out = with_another && one.until <= now();
  if ((with_another && !run_out) || !(one.in_line || one.next_retry || one.edited || run_out)) return;
  Lane& lane = lanes_[one.webhook];
  lane.look = lane.look || one.in_line || run_out;
  // Behind a step of the clock that is not written yet these times are of the clock before.
  if (one.next_retry) lane.next_retry = DateTime{one.next_retry->ms + pending_shift_};
  lane.changed = lane.changed || one.edited;  // perhaps on another node
}

}  // namespace callisto::webhooks
