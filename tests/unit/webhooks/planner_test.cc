// The planner alone, without a clock, a database or a network: a queue in memory answers its claims, receivers end
// attempts when the dice say so, and writes fail now and then. After each step the promises of webhooks/README.md are
// looked at: how much is in flight, for whom, and that nothing is lost, doubled or starved.
#include "webhooks/planner.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <vector>

using namespace callisto;
using namespace callisto::webhooks;

namespace {

class Dice final : public Random {
 public:
  explicit Dice(unsigned seed) : engine_(seed) {}
  std::string bytes(std::size_t count) override {
    std::string made;
    while (made.size() < count) made += static_cast<char>(engine_());
    return made;
  }
  std::int64_t below(std::int64_t most) { return static_cast<std::int64_t>(engine_() % static_cast<unsigned>(most)); }
  bool one_in(std::int64_t number) { return below(number) == 0; }

 private:
  std::mt19937 engine_;
};

struct InLine {  // a delivery in the queue
  Delivery delivery;
  DateTime due;
};

// Every third webhook's receiver always fails; every fifth hangs for long, and then answers.
bool always_fails(std::int64_t webhook) { return webhook % 3 == 0; }
bool hangs(std::int64_t webhook) { return webhook % 5 == 0; }

class Trial {
 public:
  explicit Trial(unsigned seed) : dice_(seed), options_(options_of(dice_)), planner_(options_, {}) {
    planner_.begin(at());
  }

  void run() {
    for (int step = 0; step < 400; ++step) {
      if (step < 200 && dice_.one_in(2)) enqueue();
      turn(dice_.below(40));
    }
    for (int step = 0; step < 20'000 && !(queue_.empty() && flying_.empty()); ++step) turn(1 + dice_.below(60'000));
    CHECK(queue_.empty());
    CHECK(flying_.empty());
    CHECK(concluded_.size() == static_cast<std::size_t>(last_ref_));
  }

 private:
  static PlannerOptions options_of(Dice& dice) {
    PlannerOptions options;
    options.slots = static_cast<std::size_t>(4 + dice.below(20));
    options.per_webhook = static_cast<std::size_t>(1 + dice.below(4));
    options.per_host = static_cast<std::size_t>(4 + dice.below(20));
    options.body_bytes = 2'000 + dice.below(5'000);
    return options;
  }
  Moment at() const { return {DateTime{1'773'558'000'000 + now_}, now_}; }

  void enqueue() {
    Delivery delivery;
    delivery.ref = ++last_ref_;
    delivery.webhook = 1 + dice_.below(8);
    delivery.core_entity_type = "thing";
    delivery.entity_ref = dice_.below(6);
    delivery.body_bytes = 100 + dice_.below(1'000);
    queue_.emplace(delivery.ref, InLine{delivery, at().now});
    if (!dice_.one_in(4)) planner_.wake(delivery.webhook);  // some wakes never come: a survey finds what waits
  }

  void turn(std::int64_t ms) {
    now_ += ms;
    end_some();
    if (planner_.survey_is_due(now_)) survey();
    start();
    write();
    start();
    planner_.forget_idle();
    CHECK(planner_.patience(at()).count() >= 0);
  }

  void survey() {
    planner_.begin_survey(at());
    for (const auto& [ref, waiting] : queue_) {
      Waiting one;
      one.webhook = waiting.delivery.webhook;
      if (waiting.delivery.attempts > 0) one.next_retry = waiting.due;
      else one.in_line = true;
      planner_.note_waiting(one, at());
    }
  }

  void end_some() {
    for (auto flight = flying_.begin(); flight != flying_.end();) {
      const std::int64_t age = now_ - flight->second.second;
      if (age < (hangs(flight->second.first.delivery.webhook) ? 5'000 : 10) || dice_.one_in(3)) {
        ++flight;
        continue;
      }
      Response response;
      response.delivery = flight->first;
      response.outcome = Outcome::Http;
      response.status = always_fails(flight->second.first.delivery.webhook) ? 500 : 200;
      flight = flying_.erase(flight);
      CHECK(planner_.end(response, at(), dice_) != Planner::End::Unknown);
      CHECK(planner_.end(response, at(), dice_) == Planner::End::Unknown);  // it has landed
    }
  }

  void start() {
    planner_.line_up(at());
    while (const auto departure = planner_.next(at())) {
      if (dice_.one_in(50)) {
        planner_.back_off(now_);
        continue;
      }
      if (dice_.one_in(50)) {
        planner_.refuse(*departure, "it cannot be made", dice_.one_in(2), at(), dice_);
        continue;
      }
      check_room(*departure);
      planner_.sent(*departure, "POST", at());
      flying_.emplace(departure->delivery.ref, std::pair(*departure, now_));
    }
    CHECK(planner_.in_flight() == flying_.size());
  }

  // With this one.
  void check_room(const Departure& next) {
    std::size_t all = 1, of_webhook = 1, slow = is_slow(next) ? 1 : 0;
    std::int64_t bytes = next.delivery.body_bytes;
    for (const auto& [ref, flight] : flying_) {
      const Departure& other = flight.first;
      ++all;
      bytes += other.delivery.body_bytes;
      slow += is_slow(other) ? 1 : 0;
      if (other.delivery.webhook != next.delivery.webhook) continue;
      ++of_webhook;
      CHECK(other.delivery.entity_ref != next.delivery.entity_ref);
    }
    CHECK(flying_.count(next.delivery.ref) == 0);
    CHECK(concluded_.count(next.delivery.ref) == 0);
    CHECK(all <= options_.slots);
    CHECK(of_webhook <= (next.webhook.failing() ? 1 : options_.per_webhook));
    CHECK((all == 1 || bytes <= options_.body_bytes));
    const auto most_slow = std::max(1.0, static_cast<double>(options_.slots) * options_.slow_part + 0.5);
    if (is_slow(next)) CHECK(static_cast<double>(slow) <= most_slow);
    CHECK(next.timeout <= options_.timeout);
  }
  static bool is_slow(const Departure& departure) {
    return departure.webhook.failing() || departure.delivery.attempts > 0;
  }

  void write() {
    if (!planner_.may_write(now_)) return;
    const auto chosen = planner_.choose_lanes(at());
    std::vector<Planner::Step> steps;
    for (const std::int64_t webhook : chosen) steps.push_back(step_of(webhook));
    if (dice_.one_in(20)) {
      over_.clear();
      planner_.not_written(chosen);
      planner_.back_off(now_);
      return;
    }
    planner_.written();
    for (const std::int64_t ref : over_) {
      queue_.erase(ref);
      CHECK(concluded_.emplace(ref, 'F').second);
    }
    over_.clear();
    for (Planner::Step& step : steps) {
      for (const Attempt& attempt : planner_.lane(step.webhook).outcomes) keep(attempt);
      if (step.now) webhooks_[step.webhook] = *step.now;
      planner_.apply(step, now_, at().now);
    }
  }

  // As the dispatcher does it, but that the queue is in memory. Nothing is kept: the write may fail yet.
  Planner::Step step_of(std::int64_t webhook) {
    const Planner::Lane& lane = planner_.lane(webhook);
    Planner::Step step;
    step.webhook = webhook;
    InFlight held = lane.held;
    Webhook now = of(webhook);
    for (const Attempt& attempt : lane.outcomes) {
      now.status = attempt.status == 'S' ? 'S' : 'R';
      held.let_go(attempt.delivery);
    }
    if (!lane.outcomes.empty()) step.now = now;
    step.dropped = Planner::drops(lane, now);
    if (step.dropped)
      for (const Delivery& delivery : lane.ready) held.let_go(delivery);
    const auto room = planner_.room_for(lane, step, now);
    if (!room) return step;
    step.room = *room;
    step.claim = claim(now, lane.outcomes, held, *room);
    return step;
  }

  Webhook of(std::int64_t ref) {
    Webhook& webhook = webhooks_[ref];
    webhook.ref = ref;
    webhook.url = "http://" + std::to_string(ref % 4) + ".example/";
    webhook.deleted = false;
    webhook.active = true;
    return webhook;
  }

  Claim claim(const Webhook& webhook, const std::vector<Attempt>& ended, InFlight held, const Room& room) {
    Claim claim;
    claim.webhook = webhook;
    std::size_t retries = 0;
    for (const auto& [ref, waiting] : queue_) {
      const Delivery& delivery = waiting.delivery;
      const auto is_it = [&, number = ref](const Attempt& each) { return each.delivery.ref == number; };
      if (delivery.webhook != webhook.ref || held.holds(ref)) continue;
      if (std::any_of(ended.begin(), ended.end(), is_it)) {
        claim.more = true;  // another claim finds what became of it
        continue;
      }
      if (delivery.attempts > 0 && delivery.deadline <= at().now) {
        over_.push_back(ref);  // its hour is over
        continue;
      }
      if (waiting.due > at().now) {
        if (!claim.next_retry || waiting.due < *claim.next_retry) claim.next_retry = waiting.due;
        continue;
      }
      const bool is_retry = delivery.attempts > 0;
      if (claim.deliveries.size() >= room.total || held.holds_record_of(delivery) ||
          (is_retry && retries >= room.retries)) {
        claim.more = claim.more || !is_retry;
        claim.retries_due = claim.retries_due || is_retry;
        continue;
      }
      retries += is_retry ? 1 : 0;
      held.take(delivery);
      claim.deliveries.push_back(delivery);
    }
    return claim;
  }

  void keep(const Attempt& attempt) {
    const std::int64_t ref = attempt.delivery.ref;
    CHECK(attempt.number == queue_.at(ref).delivery.attempts + 1);
    if (attempt.next) {
      InLine& waiting = queue_.at(ref);
      waiting.delivery.attempts = attempt.number;
      waiting.delivery.first = attempt.first;
      waiting.delivery.deadline = attempt.deadline;
      waiting.due = *attempt.next;
      return;
    }
    queue_.erase(ref);
    CHECK(concluded_.emplace(ref, attempt.status).second);
    if (attempt.status == 'F' && !attempt.error.starts_with("it cannot"))
      CHECK(always_fails(attempt.delivery.webhook));  // whoever answers well is told all
  }

  Dice dice_;
  const PlannerOptions options_;
  Planner planner_;
  std::int64_t now_ = 1'000, last_ref_ = 0;
  std::map<std::int64_t, InLine> queue_;
  std::map<std::int64_t, std::pair<Departure, std::int64_t>> flying_;  // and since when
  std::map<std::int64_t, char> concluded_;
  std::vector<std::int64_t> over_;  // what this write concludes without an attempt
  std::map<std::int64_t, Webhook> webhooks_;
};

}  // namespace

TEST_CASE("whatever happens, the planner keeps within its room, and every delivery ends once") {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    Trial(seed).run();
  }
}

TEST_CASE("beside other nodes nothing leaves that could outlive the lease") {
  PlannerOptions options;
  Planner planner(options, "me");
  const Moment begun{DateTime{1'773'558'000'000}, 1'000};
  planner.begin(begun);
  planner.wake(7);
  REQUIRE(planner.choose_lanes(begun) == std::vector<std::int64_t>{7});
  CHECK(planner.wants_lease(planner.lane(7), begun.steady));
  Planner::Step step;
  step.webhook = 7;
  step.taken = true;
  step.fence = 1;
  step.room = {7, 4, 4, false, true, {}};
  step.claim.emplace();
  step.claim->webhook.ref = 7;
  step.claim->webhook.deleted = false;
  step.claim->webhook.active = true;
  step.claim->deliveries.resize(1);
  step.claim->deliveries[0].ref = 1;
  step.claim->deliveries[0].webhook = 7;
  planner.apply(step, begun.steady, begun.now);

  // A lease of 30 s is sure for an attempt of 15 s during its first half alone.
  for (const std::int64_t later : {std::int64_t{0}, std::int64_t{15'000}, std::int64_t{15'001}, std::int64_t{40'000}}) {
    const Moment at{DateTime{begun.now.ms + later}, begun.steady + later};
    planner.line_up(at);
    CHECK(planner.next(at).has_value() == (later <= 15'000));
  }
  planner.doubt_leases(begun.steady);  // the machine slept
  planner.line_up(begun);
  CHECK_FALSE(planner.next(begun));
}
