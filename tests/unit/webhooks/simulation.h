// A world in which dispatchers run: their clocks, receivers, the transports to them and a database that fails now and
// then, all from one seed. What happens is written into a log, in which the test looks for what must not be. No real
// time passes. One thread. With several nodes they take turns whenever one has something to do; each has a wall clock
// of its own, and stands still, dies or stops now and then.
#pragma once

#include "engine/base/datetime.h"
#include "tests/unit/webhooks/queue_desk.h"
#include "webhooks/dispatcher.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace callisto::webhooks::simulated {

class SimulatedClock final : public Clock {
 public:
  DateTime now() const override { return {wall}; }
  std::int64_t steady_ms() const override { return steady; }
  void advance(std::int64_t ms) {
    wall += ms;
    steady += ms;
  }

  std::int64_t wall = 1'773'558'000'000;
  std::int64_t steady = 1'000'000;
};

// What a node's clocks say. The steady one is everybody's.
class NodeClock final : public Clock {
 public:
  explicit NodeClock(const SimulatedClock& world) : world_(world) {}
  DateTime now() const override { return {world_.wall + skew}; }
  std::int64_t steady_ms() const override { return world_.steady; }

  std::int64_t skew = 0;

 private:
  const SimulatedClock& world_;
};

enum class Behaviour { Well, Fails, Hangs, Gone, Throttles, Refuses, Blocked, Flaps };

// One attempt as the receiver's side sees it.
struct Seen {
  std::int64_t delivery = 0, webhook = 0, entity_ref = 0, attempt = 0;
  std::int64_t started = 0, ended = 0;  // steady; ended 0: the process was killed first
  int life = 0;                         // which process
  bool well = false;                    // a 2xx was answered, whether or not it came back
  bool final_refusal = false;           // 410 or a blocked address
  bool waited_for = false;              // Retry-After was asked for
  bool redelivery = false;
  bool slow = false;  // a retry, or to a webhook that fails
  std::string message_id, body;
};

struct Told {  // a delivery as enqueued
  std::int64_t webhook = 0, entity_ref = 0;
  std::int64_t at = 0;  // steady
  bool woken = false, redelivery = false;
  std::string message_id, body;
};

struct Receiver {
  Behaviour behaviour = Behaviour::Well;
  bool always_well = true;  // and its webhook was never edited
  bool ordered = false, ever_reordered = false;
  bool active = true, deleted = false, ever_edited = false;
  std::int64_t edits = 0, edited_at = 0;  // steady
  std::string url, secret;
};

struct Plan {  // of one run
  std::size_t nodes = 1;
  std::size_t slots = 256, per_webhook = 4;
  std::size_t per_host = 64;
  std::int64_t survey_pause = 30'000;
  bool database_fails = false;
  bool crowd = false;  // some webhooks that are well beside dozens that hang, at one host
};

class World;

class SimulatedTransport final : public Transport {
 public:
  SimulatedTransport(World& world, int life) : world_(world), life_(life) {}
  ~SimulatedTransport() override;

  void start(Request request) override;
  std::size_t in_flight() const override { return flying_.size(); }
  std::vector<Response> wait(std::chrono::milliseconds patience) override;
  void wake() override { woken_ = true; }

  void settle();  // whatever has ended by now is no longer in flight, whoever looks
  bool is_due() const;
  std::int64_t next_end() const;
  std::int64_t next_unsettled() const;
  std::int64_t patience = 0;  // of the last wait
  bool was_quiet = false;     // the last wait found nothing
  bool stopping = false;      // time passes while it waits, as with one node

 private:
  struct Flying {
    std::size_t seen = 0;  // in the log
    std::int64_t ends = 0;
    Response response;
    bool settled = false;
    std::string url{};
  };
  Flying answer(Seen& seen, const Request& request);
  void check_room(const Request& request) const;

  World& world_;
  const int life_;
  bool woken_ = false;
  std::vector<Flying> flying_;
};

// Refuses some writes: before they begin, or after all was done and nothing kept.
class FailingDatabase final : public storage::Database {
 public:
  FailingDatabase(storage::Database& database, World& world) : database_(database), world_(world) {}
  Result<std::unique_ptr<storage::Connection>> connect_reader() override { return database_.connect_reader(); }
  Result<void> write(const storage::WriteFunction& function) override;

 private:
  storage::Database& database_;
  World& world_;
};

class World {
 public:
  World(QueueDesk& desk, std::uint64_t seed, std::size_t nodes = 1);

  void run();  // until all that was enqueued has ended; complaints() tells what went wrong
  const std::vector<std::string>& complaints() const { return complaints_; }

  std::int64_t between(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(engine);
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  void complain(const std::string& what);
  std::int64_t next_event() const { return events_.empty() ? INT64_MAX : events_.begin()->first; }
  void note_start(Seen& seen, const Request& request);

  SimulatedClock clock;
  std::mt19937_64 engine;
  Plan plan;
  std::map<std::int64_t, Receiver> receivers;
  std::map<std::int64_t, Told> told;
  std::vector<Seen> log;
  std::set<std::pair<std::int64_t, std::int64_t>> in_flight;  // webhook and record
  std::map<std::int64_t, int> flying;                         // of each webhook
  std::map<int, std::int64_t> slow;                           // of those in flight, of each life
  std::int64_t handovers = 0;                                 // from life to life, of a delivery

 private:
  struct Node {
    explicit Node(const SimulatedClock& world) : clock(world) {}
    NodeClock clock;
    int life = 0;
    std::int64_t due = 0, paused_until = 0, starts_at = 0;  // steady
    std::unique_ptr<SimulatedTransport> transport;
    std::unique_ptr<Dispatcher> dispatcher;  // null: it is down
  };

  void plan_events();
  void add_events(int count, const std::function<void()>& happen);
  void perform_events();
  void begin_life(Node& node);
  void kill();
  void kill_one();
  void pause_one();
  void stop_one();
  void note_trouble(const Node& node, std::int64_t until);
  Node& any_node();  // that is up
  void run_alone();
  void run_together();
  bool turn(Node& node);
  void pass_time();
  void enqueue_some();
  void redeliver_one();
  void redeliver_many();
  void note_new_deliveries();
  void edit_webhook();
  void change_behaviour();
  void set_clock();
  void poll_statuses();
  bool finished() const;
  bool had_trouble(int life, std::int64_t from, std::int64_t until) const;

  void check_ends();
  void check_attempts();
  void check_order();
  void check_hour(std::int64_t delivery, const std::vector<const Seen*>& attempts);
  void check_delays();
  void check_webhook_statuses();

  QueueDesk& desk_;
  testing::SeededRandom random_;
  FailingDatabase database_;
  std::multimap<std::int64_t, std::function<void()>> events_;
  std::vector<std::int64_t> webhooks_;
  std::vector<std::string> complaints_;
  std::map<std::int64_t, std::pair<char, std::int64_t>> ended_;  // status and when, steady
  std::vector<std::pair<std::int64_t, std::int64_t>> outages_;   // from, until: steady
  bool clock_set_while_down_ = false;
  std::int64_t unnoticed_ = 0;    // of steps of the clock, since the last turn
  std::int64_t small_steps_ = 0;  // that the dispatcher cannot tell from nothing
  std::optional<std::uint64_t> polled_at_;
  int lives_ = 0;
  std::int64_t turns_ = 0;
  std::map<int, std::vector<std::int64_t>> troubles_;  // of each life: when it stood still, died or stopped
  std::vector<std::unique_ptr<Node>> nodes_;
};

}  // namespace callisto::webhooks::simulated
