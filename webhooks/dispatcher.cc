#include "webhooks/dispatcher.h"

#include "engine/base/log.h"
#include "webhooks/body.h"

#include <cmath>
#include <utility>

namespace callisto::webhooks {

using std::chrono::milliseconds;

namespace {

constexpr std::int64_t step_of_clock_ms = 5'000;
constexpr milliseconds stop_patience{3'000};

// As lanes name this node; empty: it is alone.
std::string owner_of(const DispatcherOptions& options, std::string name) {
  return options.common_time ? std::move(name) : std::string();
}

}  // namespace

Dispatcher::Dispatcher(DispatcherOptions options, storage::Database& database, Transport& transport, const Clock& clock,
                       Random& random, const Sealer& sealer)
    : options_(std::move(options)),
      database_(database),
      transport_(transport),
      clock_(clock),
      random_(random),
      maker_{options_.version, options_.sign, sealer},
      planner_(options_, owner_of(options_, make_guid(random, clock.now()))) {}

Moment Dispatcher::moment() const {
  const std::int64_t steady = clock_.steady_ms();
  return {planner_.is_shared() ? DateTime{steady + common_offset_} : clock_.now(), steady};
}

Result<void> Dispatcher::start() {
  const Moment at{clock_.now(), clock_.steady_ms()};
  planner_.begin(at);
  clock_offset_ = at.now.ms - at.steady;
  CALLISTO_TRY(reader_, database_.connect_reader());
  if (planner_.is_shared()) return read_common_time();
  return database_.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const auto all, waiting(connection));
    for (const Waiting& one : all) CALLISTO_CHECK(recover(connection, one.webhook, at.now, options_.schedule.hour));
    return {};
  });
}

void Dispatcher::turn() {
  const auto ended = transport_.wait(planner_.patience(moment()));
  note_clock();  // first: what ended is planned by the clock of now
  for (const Response& response : ended) end(response);
  take_wakes();
  watch_rights();
  if (planner_.survey_is_due(clock_.steady_ms())) survey();
  start_ready();
  write();
  start_ready();
  planner_.forget_idle();
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
  planner_.drain();
  while (planner_.is_shared() && write()) {}  // other nodes need not wait for what is in flight here
  const std::int64_t until = clock_.steady_ms() + stop_patience.count();
  while (planner_.in_flight() > 0 && clock_.steady_ms() < until)
    for (const Response& response : transport_.wait(milliseconds(until - clock_.steady_ms()))) end(response);
  planner_.give_up_flights();
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
  for (const auto& [ref, lane] : planner_.lanes()) ready += lane.ready.size();
  std::lock_guard lock(mutex_);
  metrics_.in_flight = planner_.in_flight();
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
  for (const std::int64_t ref : woken) planner_.wake(ref);
  for (const std::int64_t ref : edited) planner_.edit(ref);
}

// What stands ready is taken anew, and judged then, where an owner may have lost a right.
void Dispatcher::watch_rights() {
  const auto version = options_.rights_version ? options_.rights_version(*reader_) : std::nullopt;
  if (version == rights_version_) return;
  rights_version_ = version;
  planner_.edit_ready();
}

// The wall clock was set: waits go on as the steady clock counts them. Beside other nodes the database's
// clock counts instead; but a machine that slept, its steady clock too, may have lost its lanes.
void Dispatcher::note_clock() {
  const std::int64_t offset = clock_.now().ms - clock_.steady_ms();
  const std::int64_t step = offset - std::exchange(clock_offset_, offset);
  if (std::abs(step) <= step_of_clock_ms) return;
  if (planner_.is_shared()) return planner_.doubt_leases(clock_.steady_ms());
  log::warning("the clock was set by " + std::to_string(step) + " ms; retries of webhooks move with it");
  planner_.move_times(step);
}

Result<void> Dispatcher::read_common_time() {
  CALLISTO_TRY(const DateTime time, options_.common_time(*reader_));
  const std::int64_t offset = time.ms - clock_.steady_ms();
  const std::int64_t step = offset - std::exchange(common_offset_, offset);
  if (std::abs(step) <= step_of_clock_ms || planner_.lanes().empty()) return {};
  log::warning("the database's clock was set by " + std::to_string(step) + " ms; retries of webhooks do not move");
  planner_.doubt_all();
  return {};
}

// A look at all webhooks, in case a wake never came.
void Dispatcher::survey() {
  planner_.begin_survey(moment());
  const auto clock = planner_.is_shared() ? read_common_time() : Result<void>();
  const auto found = clock ? waiting(*reader_) : clock.error();
  if (!found) {
    back_off(found.error());
    return planner_.survey_failed();
  }
  for (const Waiting& one : *found) planner_.note_waiting(one, moment());
  if (!options_.is_silent) return;
  std::vector<std::int64_t> silent;
  for (const auto& [ref, lane] : planner_.lanes()) {
    const auto is = lane.ready.empty() ? Result<bool>(false) : options_.is_silent(*reader_, lane.webhook.owner);
    if (!is || *is) silent.push_back(ref);
  }
  for (const std::int64_t ref : silent) planner_.edit(ref);
}

void Dispatcher::end(const Response& response) {
  const Planner::End end = planner_.end(response, moment(), random_);
  if (end == Planner::End::TooLate)
    log::warning("what became of delivery " + std::to_string(response.delivery) +
                 " came too late: another node works for its webhook");
  count(end, response.outcome);
}

void Dispatcher::count(Planner::End end, Outcome outcome) {
  if (end == Planner::End::Unknown || end == Planner::End::TooLate) return;
  std::lock_guard lock(mutex_);
  metrics_.succeeded += end == Planner::End::Success ? 1 : 0;
  metrics_.concluded_failed += end == Planner::End::Failure ? 1 : 0;
  ++metrics_.by_outcome[static_cast<std::size_t>(outcome)];
}

void Dispatcher::start_ready() {
  if (stopping_) return;  // in the middle of a turn, or before this one
  planner_.line_up(moment());
  while (const auto departure = planner_.next(moment())) send(*departure);
}

void Dispatcher::send(const Departure& departure) {
  auto body = body_of(departure.delivery);
  if (!body) return back_off(body.error());
  if (!*body) return refuse(departure, "The body of this delivery is no longer kept.", true);
  const Moment at = moment();
  auto request = maker_.make(departure.webhook, departure.delivery, *std::move(body), at.now);
  if (!request) return refuse(departure, request.error().message, false);
  request->timeout = departure.timeout;
  planner_.sent(departure, header_lines(request->headers), at);
  transport_.start(*std::move(request));
}

void Dispatcher::refuse(const Departure& departure, std::string why, bool final) {
  count(planner_.refuse(departure, std::move(why), final, moment(), random_), Response().outcome);
}

// Null where it is gone.
Result<std::shared_ptr<const std::string>> Dispatcher::body_of(const Delivery& delivery) const {
  if (delivery.small_body) return delivery.small_body;
  CALLISTO_TRY(auto read, read_body(*reader_, delivery.body));
  return read ? std::make_shared<const std::string>(*std::move(read)) : nullptr;
}

void Dispatcher::back_off(const Error& error) {
  const std::int64_t pause = planner_.back_off(clock_.steady_ms());
  log::warning("webhooks wait " + std::to_string(pause) + " ms for the database: " + error.message + " " +
               error.log_detail);
  std::lock_guard lock(mutex_);
  ++metrics_.failed_writes;
}

}  // namespace callisto::webhooks
