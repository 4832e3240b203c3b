// Dispatcher: takes what is due from the queue, hands it to a Transport and writes down the outcome. Its Planner
// decides what is sent and what is written; the Dispatcher is the clock, the database and the network around it. One
// step is turn(); a DispatcherThread takes one after another. wake(), changed(), stop() and metrics(): any thread;
// everything else: one thread. Outcomes that cannot be written yet, since the database is busy, are kept and tried
// again.
//
// A request is built only when it is sent. If there is no place at a host, its deliveries wait in their lanes, so that
// each is sent with the url, secret and timestamp of that moment.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/sealer.h"
#include "engine/storage/database.h"
#include "webhooks/exchange.h"
#include "webhooks/planner.h"
#include "webhooks/transport.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace callisto::webhooks {

struct DispatcherOptions : PlannerOptions {
  std::string version;  // for User-Agent
  Signer sign;
  CommonTime common_time;  // null: this node is alone
  IsSilent is_silent;      // null: nobody is
  // Another number whenever one of those answers may have changed; nothing where that cannot be told: then each survey
  // asks anew.
  std::function<std::optional<std::uint64_t>(const storage::Connection&)> rights_version;
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

  Result<void> start();  // alone it takes up what a process before left; once, before the first turn
  void turn();           // waits for the transport no longer than until something is due
  void run();            // turns until stop(); then waits `stop_patience` for what is in flight and gives back the rest
  void stop();

  void wake(const std::vector<std::int64_t>& webhooks);     // these have new deliveries
  void changed(const std::vector<std::int64_t>& webhooks);  // these were edited or deleted
  Metrics metrics() const;

 private:
  using Lane = Planner::Lane;
  using Step = Planner::Step;
  struct Writing {
    Times times;
    LaneTime lane;           // by the common clock; as are `times` where it is there
    std::int64_t begun = 0;  // steady
  };

  Moment moment() const;
  void note_clock();
  Result<void> read_common_time();
  void take_wakes();
  void survey();
  void watch_rights();
  void end(const Response& response);
  void count(Planner::End end, Outcome outcome);
  void count_lanes();
  void start_ready();
  void send(const Departure& departure);
  void refuse(const Departure& departure, std::string why, bool final);
  Result<std::shared_ptr<const std::string>> body_of(const Delivery& delivery) const;
  void back_off(const Error& error);
  void drain();

  bool write();  // whether anything was
  Result<Writing> begin_writing(storage::Connection& connection, const std::vector<std::int64_t>& chosen);
  Result<void> write_lane(storage::Connection& connection, Step& step, const Writing& writing);
  Result<bool> get_hold(storage::Connection& connection, Step& step, const Writing& writing);
  Result<void> write_held(storage::Connection& connection, Step& step, const Times& times);
  Result<void> maybe_give_back(storage::Connection& connection, Step& step, DateTime now);

  const DispatcherOptions options_;
  storage::Database& database_;
  Transport& transport_;
  const Clock& clock_;
  Random& random_;
  const RequestMaker maker_;
  std::unique_ptr<storage::Connection> reader_;
  Planner planner_;
  std::int64_t clock_offset_ = 0;   // wall less steady, at the last turn
  std::int64_t common_offset_ = 0;  // common time less steady, at the last survey
  std::optional<std::uint64_t> rights_version_;

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
