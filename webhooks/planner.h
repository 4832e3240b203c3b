// Planner: decides which deliveries are sent next and what is written about them, without a clock, a database or a
// network. A Dispatcher tells it what has happened, and when, and carries out its decisions.
//
// Fairness (webhooks/README.md, "What you can rely on"): webhooks take turns, in the order in which they began to wait;
// each has at most `per_webhook` in flight, or one while it fails; retries, and all deliveries to a failing webhook,
// share `slow_part` of the slots and of the bytes, so that dead receivers leave room for the others. Hanging receivers,
// at one host or at many, leave room too: places.h.
//
// Beside other nodes a webhook's deliveries are sent only while this node holds its lane (lanes.h), and only if they
// end before another node could take it. So a node that takes over finds nothing in flight except what a process that
// stood still had begun, and what that process learns late does not count.
//
// Invariants: a delivery is ready, in flight, or ended and not yet written, and each record has at most one such
// delivery. One thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "webhooks/lanes.h"
#include "webhooks/places.h"
#include "webhooks/queue.h"
#include "webhooks/schedule.h"
#include "webhooks/transport.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace callisto::webhooks {

struct PlannerOptions {
  Schedule schedule;
  std::chrono::milliseconds timeout{15'000};  // of an attempt
  std::size_t slots = 256;
  std::size_t per_host = 64;  // of the same host and port
  std::size_t per_webhook = 4;
  std::size_t ahead = 128;  // in hand of one webhook, in flight or ready
  double slow_part = 0.3;
  std::int64_t body_bytes = std::int64_t{256} * 1024 * 1024;  // in flight
  std::chrono::milliseconds survey_pause{30'000};
  std::chrono::milliseconds lease{30'000};
};

struct Moment {
  DateTime now;             // by the clock that counts: the wall's, or the common one of several nodes
  std::int64_t steady = 0;  // ms
};

// A delivery whose turn it is.
struct Departure {
  Webhook webhook;
  Delivery delivery;
  std::chrono::milliseconds timeout{0};
};

class Planner {
 public:
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
    InFlight held;                                // what is ready, in flight or ended and not yet written
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
  struct Step {  // what a write did for one lane
    std::int64_t webhook = 0;
    std::optional<std::int64_t> fence;  // taken or held
    bool missed = false, lost = false, taken = false, recovered = false, given_back = false;
    bool dropped = false;
    Room room;
    std::optional<Webhook> now;
    std::optional<Claim> claim;
  };
  enum class End { Unknown, TooLate, Success, Retry, Failure };  // TooLate: another node works for its webhook

  // `owner`: this node, as lanes name it; empty: it is alone.
  Planner(const PlannerOptions& options, std::string owner);
  void begin(const Moment& at);

  // What has happened.
  void wake(std::int64_t webhook) { lanes_[webhook].look = true; }
  void edit(std::int64_t webhook) { lanes_[webhook].changed = true; }
  void edit_ready();                                        // rights may have changed: what is ready is judged anew
  void move_times(std::int64_t ms);                         // the wall clock was set
  void doubt_leases(std::int64_t steady);                   // the machine may have slept
  void doubt_all();                                         // the common clock was set
  void begin_survey(const Moment& at);                      // note_waiting() follows for each that waits
  void note_waiting(const Waiting& one, const Moment& at);  // as the database tells it
  End end(const Response& response, const Moment& at, Random& random);
  void drain();                                // nothing leaves any more, and lanes are given back
  void give_up_flights();                      // whoever works for these webhooks next sends them again
  std::int64_t back_off(std::int64_t steady);  // the database refused; ms until it is asked again
  void forget_idle();

  // What leaves: line_up(), then next() until there is none; each is answered by sent(), refuse() or back_off().
  void line_up(const Moment& at);
  std::optional<Departure> next(const Moment& at);
  void sent(const Departure& departure, std::string request_headers, const Moment& at);
  End refuse(const Departure& departure, std::string why, bool final, const Moment& at, Random& random);

  // What is written, in one transaction: the lanes of choose_lanes(), and pending_shift(). One run of the transaction
  // may be undone and another follow: nothing changes before written(), and then apply() of each step; or
  // not_written().
  bool may_write(std::int64_t steady) const { return steady >= write_after_; }
  std::vector<std::int64_t> choose_lanes(const Moment& at);
  const Lane& lane(std::int64_t webhook) const { return lanes_.at(webhook); }
  bool wants_lease(const Lane& lane, std::int64_t steady) const;
  bool is_first(std::int64_t webhook) const { return !known_.contains(webhook); }  // that this node works for it
  static bool drops(const Lane& lane, const Webhook& now);  // what stands ready was taken under other conditions
  std::optional<Room> room_for(const Lane& lane, const Step& step,
                               const Webhook& now) const;  // to claim; none: nothing
  bool gives_back(const Lane& lane, const Step& step, DateTime now) const;
  void written();
  void not_written(const std::vector<std::int64_t>& chosen);
  void apply(Step& step, std::int64_t begun, DateTime now);
  std::int64_t pending_shift() const { return pending_shift_; }  // of the wall clock, not yet written

  std::chrono::milliseconds patience(const Moment& at) const;  // until there is something to do
  bool survey_is_due(std::int64_t steady) const { return steady >= next_survey_; }
  void survey_failed() { next_survey_ = write_after_; }
  bool is_draining() const { return draining_; }
  bool is_shared() const { return !owner_.empty(); }
  const std::string& owner() const { return owner_; }
  DateTime since_of(const Lane& lane) const { return is_shared() ? lane.since : since_; }
  const std::map<std::int64_t, Lane>& lanes() const { return lanes_; }
  std::size_t in_flight() const { return flights_.size(); }

 private:
  struct Flight {
    Delivery delivery;
    std::string request_headers;
    std::int64_t started_steady = 0;
    bool slow = false;
  };

  End finish(const Flight& flight, const Response& response, bool final, const Moment& at, Random& random);
  void land(const Flight& flight, std::int64_t steady);
  std::optional<Departure> next_of(Lane& lane, const Moment& at);
  void take_turn(const Departure& departure);
  bool has_place(const Lane& lane, const Delivery& delivery);
  bool may_start(const Lane& lane, std::int64_t steady) const;
  bool has_slot(const Lane& lane, const Delivery& delivery) const;
  std::chrono::milliseconds timeout_of(const Delivery& delivery, DateTime now) const;

  std::size_t share() const;  // of what may be in hand, a webhook's
  bool has_few(const Lane& lane) const { return lane.ready.size() <= share() / 4; }  // ready: time to take more
  std::size_t room(bool failing, std::size_t used) const;
  std::size_t slow_room() const;
  bool wants_claim(const Lane& lane, DateTime now) const;
  bool wants_lane(const Lane& lane, const Moment& at) const;
  bool wants_write(const Lane& lane, const Moment& at) const;
  bool wants_record(const Lane& lane, std::int64_t steady) const;
  static bool is_idle(const Lane& lane) {
    return lane.ready.empty() && lane.outcomes.empty() && lane.in_flight == 0 && !lane.look && !lane.changed &&
           !lane.waits_for_slow;
  }
  void apply_lease(Lane& lane, const Step& step, std::int64_t begun, DateTime now);
  void apply_claim(Lane& lane, Step& step);
  void lose(Lane& lane);
  void miss(Lane& lane, std::int64_t begun);

  const PlannerOptions options_;
  const std::string owner_;
  std::map<std::int64_t, Lane> lanes_;
  std::set<std::int64_t> known_;                      // webhooks whose lane was taken before
  std::unordered_map<std::int64_t, Flight> flights_;  // by the delivery's Ref
  Places places_;
  bool some_wait_for_place_ = false;  // which they get as requests grow older
  std::vector<std::int64_t> line_;    // who has something ready, whoever waits longest first
  std::size_t turn_ = 0;              // in it
  bool any_left_ = false;             // in this round of it
  std::size_t slow_ = 0;
  std::int64_t bytes_ = 0, slow_bytes_ = 0;  // of bodies in flight
  std::int64_t last_place_ = 0;              // of a lane
  std::int64_t last_written_ = 0;
  DateTime since_;
  std::int64_t pending_shift_ = 0;
  std::int64_t next_survey_ = 0;  // steady
  std::int64_t write_after_ = 0;  // steady; while the database refuses
  std::int64_t back_off_ms_ = 0;
  bool draining_ = false;
};

}  // namespace callisto::webhooks
