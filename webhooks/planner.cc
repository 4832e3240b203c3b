// What a Planner is told: ends of attempts, clocks that were set, webhooks that wait.
#include "webhooks/planner.h"

#include "webhooks/exchange.h"
#include "webhooks/queue_steps.h"

#include <algorithm>

namespace callisto::webhooks {

using std::chrono::milliseconds;

namespace {

constexpr std::int64_t first_back_off_ms = 100;
constexpr std::int64_t longest_back_off_ms = 5'000;
constexpr std::int64_t record_pause_ms = 20;

}  // namespace

Planner::Planner(const PlannerOptions& options, std::string owner)
    : options_(options), owner_(std::move(owner)), places_(options.slots, options.per_host, options.body_bytes) {}

void Planner::begin(const Moment& at) {
  since_ = at.now;
  next_survey_ = at.steady;
}

void Planner::edit_ready() {
  for (auto& [ref, lane] : lanes_)
    if (!lane.ready.empty()) lane.changed = true;
}

void Planner::move_times(std::int64_t ms) {
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

void Planner::doubt_leases(std::int64_t steady) {
  next_survey_ = steady;
  for (auto& [ref, lane] : lanes_)
    if (lane.lease) lane.lease->sure_until = lane.lease->renew_at = 0;
}

void Planner::doubt_all() {
  for (auto& [ref, lane] : lanes_) {
    lane.recover = lane.changed = true;
    if (lane.lease) lane.lease->sure_until = lane.lease->renew_at = 0;
  }
}

void Planner::begin_survey(const Moment& at) { next_survey_ = at.steady + options_.survey_pause.count(); }

void Planner::note_waiting(const Waiting& one, const Moment& at) {
  const bool with_another = is_shared() && !one.owner.empty() && one.owner != owner_;
  const bool run_out = with_another && one.until <= at.now;
  if ((with_another && !run_out) || !(one.in_line || one.next_retry || one.edited || run_out)) return;
  Lane& lane = lanes_[one.webhook];
  lane.look = lane.look || one.in_line || run_out;
  // Behind a step of the clock that is not written yet these times are of the clock before.
  if (one.next_retry) lane.next_retry = DateTime{one.next_retry->ms + pending_shift_};
  lane.changed = lane.changed || one.edited;  // perhaps on another node
}

Planner::End Planner::end(const Response& response, const Moment& at, Random& random) {
  const auto found = flights_.find(response.delivery);
  if (found == flights_.end()) return End::Unknown;
  const Flight flight = std::move(found->second);
  flights_.erase(found);
  land(flight, at.steady);
  Lane& lane = lanes_[flight.delivery.webhook];
  --lane.in_flight;
  if (!lane.lost) return finish(flight, response, false, at, random);
  lane.lost = lane.in_flight > 0;
  return End::TooLate;
}

void Planner::land(const Flight& flight, std::int64_t steady) {
  places_.give_back(flight.delivery.ref, steady);
  bytes_ -= flight.delivery.body_bytes;
  if (!flight.slow) return;
  slow_bytes_ -= flight.delivery.body_bytes;
  --slow_;
  for (auto& [ref, lane] : lanes_)
    if (std::exchange(lane.waits_for_slow, false)) lane.look = true;
}

Planner::End Planner::finish(const Flight& flight, const Response& response, bool final, const Moment& at,
                             Random& random) {
  const Delivery& delivery = flight.delivery;
  // Not as the transport read the wall clock, which may have been set since.
  const DateTime started{at.now.ms - (at.steady - flight.started_steady)};
  Attempt attempt;
  attempt.delivery = delivery;
  attempt.number = delivery.attempts + 1;
  attempt.started = started;
  attempt.first = delivery.attempts == 0 ? started : delivery.first;
  attempt.deadline = delivery.attempts == 0 ? DateTime{started.ms + options_.schedule.hour} : delivery.deadline;
  attempt.request_headers = flight.request_headers;
  fill(attempt, response);
  const bool success = succeeded(response);
  if (!success && !final)
    attempt.next = retry_of(response, options_.schedule,
                            {static_cast<std::size_t>(attempt.number), attempt.first, at.now, {}}, random);
  attempt.status = success ? 'S' : attempt.next ? 'R' : 'F';
  Lane& lane = lanes_[delivery.webhook];
  lane.look = true;
  if (lane.outcomes.empty()) lane.record_by = at.steady + record_pause_ms;
  if (!success) lane.record_by = 0;
  if (!success) lane.webhook.status = status_after(lane.webhook.status, attempt.status);  // until it is written
  lane.outcomes.push_back(std::move(attempt));
  return success ? End::Success : lane.outcomes.back().next ? End::Retry : End::Failure;
}

void Planner::drain() {
  draining_ = true;
  for (auto& [ref, lane] : lanes_) lane.changed = true;
}

void Planner::give_up_flights() {
  flights_.clear();
  for (auto& [ref, lane] : lanes_) {
    lane.changed = true;
    lane.in_flight = 0;
  }
  write_after_ = 0;
}

std::int64_t Planner::back_off(std::int64_t steady) {
  back_off_ms_ = std::clamp(back_off_ms_ * 2, first_back_off_ms, longest_back_off_ms);
  write_after_ = steady + back_off_ms_;
  return back_off_ms_;
}

void Planner::forget_idle() {
  std::erase_if(lanes_, [](const auto& entry) {
    const Lane& lane = entry.second;
    return !lane.lease && is_idle(lane) && !lane.next_retry;
  });
}

milliseconds Planner::patience(const Moment& at) const {
  std::int64_t wait = next_survey_ - at.steady;
  const bool refused = at.steady < write_after_;
  for (const auto& [ref, lane] : lanes_) {
    if (lane.next_retry && *lane.next_retry > at.now) wait = std::min(wait, lane.next_retry->ms - at.now.ms);
    if (wants_write(lane, at) || (refused && !lane.ready.empty())) wait = std::min(wait, write_after_ - at.steady);
    else if (!lane.outcomes.empty()) wait = std::min(wait, lane.record_by - at.steady);
    else if (lane.lease) wait = std::min(wait, lane.lease->renew_at - at.steady);
    else if (lane.take_after > at.steady) wait = std::min(wait, lane.take_after - at.steady);
  }
  if (pending_shift_ != 0) wait = std::min(wait, write_after_ - at.steady);
  const auto change = some_wait_for_place_ ? places_.next_change() : std::nullopt;
  if (change) wait = std::min(wait, *change - at.steady);
  return milliseconds(std::max<std::int64_t>(0, wait));
}

}  // namespace callisto::webhooks
