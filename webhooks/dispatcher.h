// Dispatcher: takes what is due out of the queue, hands it to a Transport and writes down what became of it. One step
// is turn(); a DispatcherThread takes them one after another. wake(), changed(), stop() and metrics(): any thread; all
// else: one thread. Outcomes that cannot be written yet, since the database is busy, are kept and tried again.
//
// Fairness (decisions.md 10.5): webhooks take turns; each has at most `per_webhook` in flight, or one while it fails;
// retries, and whatever goes to a webhook that fails, share `slow_part` of the slots and of the bytes, so that dead
// receivers leave room for the others.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/sealer.h"
#include "engine/storage/database.h"
#include "webhooks/exchange.h"
#include "webhooks/queue.h"
#include "webhooks/schedule.h"
#include "webhooks/transport.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace callisto::webhooks {

struct DispatcherOptions {
  Schedule schedule;
  std::string version;  // for User-Agent
  Signer sign;
  std::chrono::milliseconds timeout{15'000};  // of an attempt
  std::size_t slots = 256;
  std::size_t per_webhook = 4;
  std::size_t ahead = 32;  // in hand of one webhook, in flight or ready
  double slow_part = 0.3;
  std::int64_t body_bytes = std::int64_t{256} * 1024 * 1024;  // in flight
  std::chrono::milliseconds survey_pause{30'000};
};

constexpr std::size_t outcome_count = static_cast<std::size_t>(Outcome::Internal) + 1;

// Of this process. How long the queue is tells stats() of queue.h, over a connection of whoever asks: counting a long
// one would hold up deliveries.
struct Metrics {
  std::uint64_t succeeded = 0;                               // attempts
  std::array<std::uint64_t, outcome_count> by_outcome = {};  // all attempts, by Outcome
  std::uint64_t concluded_failed = 0;                        // deliveries that became F after an attempt
  std::uint64_t failed_writes = 0;
  std::size_t in_flight = 0, ready = 0;
  std::int64_t turned_at = 0;  // steady ms of the last turn; a turn waits at most survey_pause
};

class Dispatcher {
 public:
  // What is referred to outlives it, `transport` too; prepare() has run.
  Dispatcher(DispatcherOptions options, storage::Database& database, Transport& transport, const Clock& clock,
             Random& random, const Sealer& sealer);

  Result<void> start();  // recovers what a process before left in hand; once, before the first turn
  void turn();           // waits for the transport no longer than until something is due
  void run();            // turns until stop(); then waits `stop_patience` for what is in flight and gives back the rest
  void stop();

  void wake(const std::vector<std::int64_t>& webhooks);     // these have new deliveries
  void changed(const std::vector<std::int64_t>& webhooks);  // these were edited or deleted
  Metrics metrics() const;

 private:
  struct Lane {  // a webhook that has something to do
    Webhook webhook;
    std::deque<Delivery> ready;     // in hand, not started
    std::vector<Attempt> outcomes;  // not yet written
    std::size_t in_flight = 0;
    bool look = false;     // the queue may have something due
    bool changed = false;  // what is ready may be out of date
    bool waits_for_slow = false;
    std::optional<DateTime> next_retry;
  };
  struct Flight {
    Delivery delivery;
    std::string request_headers;
    std::int64_t started_steady = 0;
    bool slow = false;
  };
  struct Step {  // what a write did for one lane
    std::int64_t webhook = 0;
    bool dropped = false;
    Room room;
    std::optional<Webhook> now;
    std::optional<Claim> claim;
  };
  using Lanes = std::map<std::int64_t, Lane>;

  void note_clock();
  void move_times(std::int64_t ms);
  void take_wakes();
  void survey();
  void end(const Response& response);
  void finish(const Flight& flight, const Response& response, bool final);
  void start_ready();
  bool start_one(Lane& lane);
  void take_off(Lane& lane, Flight flight, Request request);
  bool has_slot(const Lane& lane, const Delivery& delivery) const;
  void refuse(const Flight& flight, std::string why, bool final);
  std::chrono::milliseconds timeout_of(const Delivery& delivery, DateTime now) const;

  std::size_t room(bool failing, std::size_t used) const;
  std::size_t slow_room() const;
  bool wants_claim(const Lane& lane, DateTime now) const;
  std::vector<std::int64_t> lanes_to_write() const;
  bool write();  // whether anything was
  Result<void> write_lane(storage::Connection& connection, Step& step, const Lessee& lessee);
  void apply(Step& step);
  void back_off(const Error& error);
  void forget_idle();
  std::chrono::milliseconds patience() const;
  void drain();
  void count_lanes();

  const DispatcherOptions options_;
  storage::Database& database_;
  Transport& transport_;
  const Clock& clock_;
  Random& random_;
  const RequestMaker maker_;
  const std::string owner_;
  std::unique_ptr<storage::Connection> reader_;

  Lanes lanes_;
  std::unordered_map<std::int64_t, Flight> flights_;  // by the delivery's Ref
  std::size_t slow_ = 0;
  std::int64_t bytes_ = 0, slow_bytes_ = 0;  // of bodies in flight
  std::int64_t last_started_ = 0;            // the webhook whose turn was last
  std::int64_t last_written_ = 0;
  DateTime since_;
  std::int64_t clock_offset_ = 0;   // wall less steady, at the last turn
  std::int64_t pending_shift_ = 0;  // of the wall clock, not yet written
  std::int64_t next_survey_ = 0;    // steady
  std::int64_t write_after_ = 0;    // steady; while the database refuses
  std::int64_t back_off_ms_ = 0;
  bool draining_ = false;

  std::atomic<bool> stopping_ = false;
  mutable std::mutex mutex_;
  std::vector<std::int64_t> woken_, edited_;
  Metrics metrics_;
};

class DispatcherThread {
 public:
  explicit DispatcherThread(Dispatcher& dispatcher) : dispatcher_(dispatcher), thread_([this] { dispatcher_.run(); }) {}
  ~DispatcherThread() {
    dispatcher_.stop();
    thread_.join();
  }
  DispatcherThread(const DispatcherThread&) = delete;
  DispatcherThread& operator=(const DispatcherThread&) = delete;

 private:
  Dispatcher& dispatcher_;
  std::thread thread_;
};

}  // namespace callisto::webhooks
