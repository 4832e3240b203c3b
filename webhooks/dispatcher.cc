#include "webhooks/dispatcher.h"

#include "engine/base/log.h"
#include "webhooks/queue_steps.h"

#include <algorithm>
#include <utility>

namespace callisto::webhooks {

using std::chrono::milliseconds;

namespace {

constexpr std::int64_t first_back_off_ms = 100;
constexpr std::int64_t longest_back_off_ms = 5'000;
constexpr std::int64_t record_pause_ms = 20;
constexpr milliseconds stop_patience{3'000};

}  // namespace

Dispatcher::Dispatcher(DispatcherOptions options, storage::Database& database, Transport& transport, const Clock& clock,
                       Random& random, const Sealer& sealer)
    : options_(std::move(options)),
      database_(database),
      transport_(transport),
      clock_(clock),
      random_(random),
      maker_{options_.version, options_.sign, sealer},
      owner_(make_guid(random, clock.now())),
      places_(options_.slots, options_.per_host, options_.body_bytes) {}

Result<void> Dispatcher::start() {
  since_ = clock_.now();
  clock_offset_ = since_.ms - clock_.steady_ms();
  next_survey_ = clock_.steady_ms();
  CALLISTO_TRY(reader_, database_.connect_reader());
  if (is_shared()) return read_common_time();
  return database_.write([&](storage::Connection& connection) { return recover_all(connection); });
}

Result<void> Dispatcher::recover_all(storage::Connection& connection) {
  CALLISTO_TRY(const auto all, waiting(connection));
  for (const Waiting& one : all) CALLISTO_CHECK(recover(connection, one.webhook, since_, options_.schedule.hour));
  return {};
}

DateTime Dispatcher::now() const { return is_shared() ? DateTime{clock_.steady_ms() + common_offset_} : clock_.now(); }

void Dispatcher::turn() {
  const auto ended = transport_.wait(patience());
  note_clock();  // first: what ended is planned by the clock of now
  for (const Response& response : ended) end(response);
  take_wakes();
  watch_rights();
  if (clock_.steady_ms() >= next_survey_) survey();
  start_ready();
  write();
  start_ready();
  forget_idle();
  count_lanes();
}

void Dispatcher::run() {
  while (!stopping_) turn();
  drain();
}

void Dispatcher::stop() {
  stopping_ = true;
  transport_.wake();
}

void Dispatcher::drain() {
  draining_ = true;
  for (auto& [ref, lane] : lanes_) lane.changed = true;
  while (is_shared() && write()) {}  // other nodes need not wait for what is in flight here
  const std::int64_t until = clock_.steady_ms() + stop_patience.count();
  while (!flights_.empty() && clock_.steady_ms() < until)
    for (const Response& response : transport_.wait(milliseconds(until - clock_.steady_ms()))) end(response);
  for (auto& [ref, lane] : lanes_) lane.changed = true;
  flights_.clear();  // given up: whoever works for these webhooks next sends them again
  for (auto& [ref, lane] : lanes_) lane.in_flight = 0;
  write_after_ = 0;
  while (write()) {}
}

void Dispatcher::wake(const std::vector<std::int64_t>& webhooks) {
  {
    std::lock_guard lock(mutex_);
    woken_.insert(woken_.end(), webhooks.begin(), webhooks.end());
  }
  transport_.wake();
}

void Dispatcher::changed(const std::vector<std::int64_t>& webhooks) {
  {
    std::lock_guard lock(mutex_);
    edited_.insert(edited_.end(), webhooks.begin(), webhooks.end());
  }
  transport_.wake();
}

Metrics Dispatcher::metrics() const {
  std::lock_guard lock(mutex_);
  return metrics_;
}

void Dispatcher::count_lanes() {
  std::size_t ready = 0;
  for (const auto& [ref, lane] : lanes_) ready += lane.ready.size();
  std::lock_guard lock(mutex_);
  metrics_.in_flight = flights_.size();
  metrics_.ready = ready;
  metrics_.turned_at = clock_.steady_ms();
}

void Dispatcher::take_wakes() {
  std::vector<std::int64_t> woken, edited;
  {
    std::lock_guard lock(mutex_);
    woken.swap(woken_);
    edited.swap(edited_);
  }
  for (const std::int64_t ref : woken) lanes_[ref].look = true;
  for (const std::int64_t ref : edited) lanes_[ref].changed = true;
}

// What stands ready is taken anew, and judged then, where an owner may have lost a right.
void Dispatcher::watch_rights() {
  const auto version = options_.rights_version ? options_.rights_version(*reader_) : std::nullopt;
  if (version == rights_version_) return;
  rights_version_ = version;
  for (auto& [ref, lane] : lanes_)
    if (!lane.ready.empty()) lane.changed = true;
}

void Dispatcher::end(const Response& response) {
  const auto found = flights_.find(response.delivery);
  if (found == flights_.end()) return;
  const Flight flight = std::move(found->second);
  flights_.erase(found);
  places_.give_back(response.delivery, clock_.steady_ms());
  bytes_ -= flight.delivery.body_bytes;
  if (flight.slow) {
    slow_bytes_ -= flight.delivery.body_bytes;
    --slow_;
    for (auto& [ref, lane] : lanes_)
      if (std::exchange(lane.waits_for_slow, false)) lane.look = true;
  }
  Lane& lane = lanes_[flight.delivery.webhook];
  --lane.in_flight;
  if (!lane.lost) return finish(flight, response, false);
  lane.lost = lane.in_flight > 0;
  log::warning("what became of delivery " + std::to_string(response.delivery) +
               " came too late: another node works for its webhook");
}

void Dispatcher::finish(const Flight& flight, const Response& response, bool final) {
  const Delivery& delivery = flight.delivery;
  const DateTime now = this->now();
  // Not as the transport read the wall clock, which may have been set since.
  const DateTime started{now.ms - (clock_.steady_ms() - flight.started_steady)};
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
                            {static_cast<std::size_t>(attempt.number), attempt.first, now, {}}, random_);
  attempt.status = success ? 'S' : attempt.next ? 'R' : 'F';
  Lane& lane = lanes_[delivery.webhook];
  lane.look = true;
  if (lane.outcomes.empty()) lane.record_by = clock_.steady_ms() + record_pause_ms;
  if (!success) lane.record_by = 0;
  if (!success) lane.webhook.status = status_after(lane.webhook.status, attempt.status);  // until it is written
  std::lock_guard lock(mutex_);
  metrics_.succeeded += success ? 1 : 0;
  metrics_.concluded_failed += attempt.status == 'F' ? 1 : 0;
  ++metrics_.by_outcome[static_cast<std::size_t>(response.outcome)];
  lane.outcomes.push_back(std::move(attempt));
}

void Dispatcher::back_off(const Error& error) {
  back_off_ms_ = std::clamp(back_off_ms_ * 2, first_back_off_ms, longest_back_off_ms);
  write_after_ = clock_.steady_ms() + back_off_ms_;
  log::warning("webhooks wait " + std::to_string(back_off_ms_) + " ms for the database: " + error.message + " " +
               error.log_detail);
  std::lock_guard lock(mutex_);
  ++metrics_.failed_writes;
}

void Dispatcher::forget_idle() {
  std::erase_if(lanes_, [](const auto& entry) {
    const Lane& lane = entry.second;
    return !lane.lease && is_idle(lane) && !lane.next_retry;
  });
}

milliseconds Dispatcher::patience() const {
  const std::int64_t steady = clock_.steady_ms();
  const DateTime now = this->now();
  std::int64_t wait = next_survey_ - steady;
  const bool refused = steady < write_after_;
  for (const auto& [ref, lane] : lanes_) {
    if (lane.next_retry && *lane.next_retry > now) wait = std::min(wait, lane.next_retry->ms - now.ms);
    if (wants_write(lane, now) || (refused && !lane.ready.empty())) wait = std::min(wait, write_after_ - steady);
    else if (!lane.outcomes.empty()) wait = std::min(wait, lane.record_by - steady);
    else if (lane.lease) wait = std::min(wait, lane.lease->renew_at - steady);
    else if (lane.take_after > steady) wait = std::min(wait, lane.take_after - steady);
  }
  if (pending_shift_ != 0) wait = std::min(wait, write_after_ - steady);
  const auto change = some_wait_for_place_ ? places_.next_change() : std::nullopt;
  if (change) wait = std::min(wait, *change - steady);
  return milliseconds(std::max<std::int64_t>(0, wait));
}

}  // namespace callisto::webhooks
