// Dispatcher: takes what is due out of the queue, hands it to a Transport and writes down what became of it. One step
// is turn(); a DispatcherThread takes them one after another. wake(), changed(), stop() and metrics(): any thread; all
// else: one thread. Outcomes that cannot be written yet, since the database is busy, are kept and tried again.
//
// Fairness (webhooks/README.md, "What you can rely on"): webhooks take turns, in the order in which they began to wait;
// each has at most `per_webhook` in flight, or one while it fails; retries, and whatever goes to a webhook that fails,
// share `slow_part` of the slots and of the bytes, so that dead receivers leave room for the others. Those that hang,
// at one host or at many, leave room too: places.h.
//
// A request is made when it leaves and not before. Where there is no place at a host, its deliveries wait in their
// lanes, so that each leaves with the url, the secret and the timestamp of that moment.
//
// Where several nodes share the database (`common_time`), a dispatcher works for a webhook only while it holds its lane
// (lanes.h). It begins nothing that could outlive the lease, so that whoever takes over finds nothing in flight but
// what a process that stood still had begun; what that one comes to know late does not count.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/sealer.h"
#include "engine/storage/database.h"
#include "webhooks/exchange.h"
#include "webhooks/lanes.h"
#include "webhooks/places.h"
#include "webhooks/queue.h"
#include "webhooks/schedule.h"
#include "webhooks/transport.h"

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
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
  std::size_t per_host = 64;  // of the same host and port
  std::size_t per_webhook = 4;
  std::size_t ahead = 128;  // in hand of one webhook, in flight or ready
  double slow_part = 0.3;
  std::int64_t body_bytes = std::int64_t{256} * 1024 * 1024;  // in flight
  std::chrono::milliseconds survey_pause{30'000};
  CommonTime common_time;  // null: this node is alone
  std::chrono::milliseconds lease{30'000};
  IsSilent is_silent;  // null: nobody is
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
  struct Lease {
    std::int64_t fence = 0;
    std::int64_t sure_until = 0, renew_at = 0;  // steady
  };
  struct Lane {  // a webhook that has something to do
    Webhook webhook;
    std::optional<Lease> lease;
    bool lost = false;                            // to another node, while something was in flight
    bool recover = false;                         // before anything is claimed
    DateTime since;                               // as in Times
    std::int64_t take_after = 0, take_pause = 0;  // steady; while another has it
    InFlight in_flight;                           // what is ready, in flight or ended and not yet written
    std::deque<Delivery> ready;
    std::int64_t place = 0;         // among those with something ready: the least is the next
    std::vector<Attempt> outcomes;  // not yet written
    std::int64_t record_by = 0;     // steady
    bool some_wait = true;
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
    std::optional<std::int64_t> fence;  // taken or held
    bool missed = false, lost = false, taken = false, recovered = false, given_back = false;
    bool dropped = false;
    Room room;
    std::optional<Webhook> now;
    std::optional<Claim> claim;
  };
  struct Writing {
    Times times;
    LaneTime lane;           // by the common clock; as are `times` where it is there
    std::int64_t begun = 0;  // steady
  };
  using Lanes = std::map<std::int64_t, Lane>;

  bool is_shared() const { return static_cast<bool>(options_.common_time); }
  DateTime now() const;
  Result<void> recover_all(storage::Connection& connection);
  void note_clock();
  void move_times(std::int64_t ms);
  Result<void> read_common_time();
  void take_wakes();
  void survey();
  void watch_rights();
  void note_waiting(const Waiting& one);
  void end(const Response& response);
  void finish(const Flight& flight, const Response& response, bool final);
  void start_ready();
  bool start_one(Lane& lane);
  bool has_place(const Lane& lane, const Delivery& delivery);
  Result<std::shared_ptr<const std::string>> body_of(const Delivery& delivery) const;
  bool may_start(const Lane& lane) const;
  void take_off(Lane& lane, Flight flight, Request request);
  bool has_slot(const Lane& lane, const Delivery& delivery) const;
  void refuse(const Flight& flight, std::string why, bool final);
  std::chrono::milliseconds timeout_of(const Delivery& delivery, DateTime now) const;

  std::size_t share() const;  // of what may be in hand, a webhook's
  bool has_few(const Lane& lane) const { return lane.ready.size() <= share() / 4; }  // ready: time to take more
  std::size_t room(bool failing, std::size_t used) const;
  std::size_t slow_room() const;
  bool wants_claim(const Lane& lane, DateTime now) const;
  bool wants_lane(const Lane& lane, DateTime now) const;
  bool wants_write(const Lane& lane, DateTime now) const;
  bool wants_record(const Lane& lane) const;
  DateTime since_of(const Lane& lane) const { return is_shared() ? lane.since : since_; }
  static bool is_idle(const Lane& lane) {
    return lane.ready.empty() && lane.outcomes.empty() && lane.in_flight == 0 && !lane.look && !lane.changed &&
           !lane.waits_for_slow;
  }
  std::vector<std::int64_t> lanes_to_write() const;
  bool write();  // whether anything was
  Result<Writing> begin_writing(storage::Connection& connection, const std::vector<std::int64_t>& chosen);
  bool wants_lease(const Lane& lane) const;
  Result<void> write_lane(storage::Connection& connection, Step& step, const Writing& writing);
  Result<bool> get_hold(storage::Connection& connection, Step& step, const Writing& writing);
  Result<void> write_held(storage::Connection& connection, Step& step, const Times& times);
  Result<void> maybe_give_back(storage::Connection& connection, Step& step, DateTime now);
  void apply(Step& step, std::int64_t begun);
  void apply_lease(Lane& lane, const Step& step, std::int64_t begun);
  void apply_claim(Lane& lane, Step& step);
  void lose(std::int64_t webhook, Lane& lane);
  void miss(Lane& lane, std::int64_t begun);
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
  std::set<std::int64_t> known_;                      // webhooks whose lane was taken before
  std::unordered_map<std::int64_t, Flight> flights_;  // by the delivery's Ref
  Places places_;
  bool some_wait_for_place_ = false;  // which they get as requests grow older
  std::size_t slow_ = 0;
  std::int64_t bytes_ = 0, slow_bytes_ = 0;  // of bodies in flight
  std::int64_t last_place_ = 0;              // of a lane
  std::int64_t last_written_ = 0;
  DateTime since_;
  std::int64_t clock_offset_ = 0;   // wall less steady, at the last turn
  std::int64_t common_offset_ = 0;  // common time less steady, at the last survey
  std::int64_t pending_shift_ = 0;  // of the wall clock, not yet written
  std::int64_t next_survey_ = 0;    // steady
  std::int64_t write_after_ = 0;    // steady; while the database refuses
  std::int64_t back_off_ms_ = 0;
  bool draining_ = false;
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
