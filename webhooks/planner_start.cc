// Which deliveries are sent next.
#include "webhooks/planner.h"

#include <algorithm>
#include <cmath>

namespace callisto::webhooks {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds shortest_timeout{1'000};  // no receiver could answer sooner for certain

Places::Asking asking(const Webhook& webhook, const Delivery& delivery) {
  return {webhook.ref, webhook.url, webhook.failing(), delivery.body_bytes};
}

}  // namespace

void Planner::line_up(const Moment& at) {
  places_.pass(at.steady);
  some_wait_for_place_ = false;
  line_.clear();
  for (const auto& [ref, lane] : lanes_)
    if (!lane.ready.empty()) line_.push_back(ref);
  std::sort(line_.begin(), line_.end(),
            [&](std::int64_t one, std::int64_t other) { return lanes_.at(one).place < lanes_.at(other).place; });
  turn_ = 0;
  any_left_ = false;
}

// Whoever waits longest first: one each, until nobody has anything to start. Not those behind the one whose turn was
// last: of several that wait for the same host, a busy webhook elsewhere would make some always the first.
std::optional<Departure> Planner::next(const Moment& at) {
  while (!draining_) {
    if (turn_ == line_.size()) {
      if (!any_left_) break;
      turn_ = 0;
      any_left_ = false;
    }
    Lane& lane = lanes_.at(line_[turn_++]);
    if (flights_.size() >= options_.slots) continue;
    if (auto departure = next_of(lane, at)) return departure;
  }
  return std::nullopt;
}

// The first that there is room for, since a retry that has to wait holds up no other.
std::optional<Departure> Planner::next_of(Lane& lane, const Moment& at) {
  if (!may_start(lane, at.steady)) return std::nullopt;
  const auto chosen = std::find_if(lane.ready.begin(), lane.ready.end(),
                                   [&](const Delivery& delivery) { return has_slot(lane, delivery); });
  if (chosen == lane.ready.end()) return std::nullopt;
  const bool over = chosen->attempts > 0 && chosen->deadline <= at.now && chosen->deadline > since_of(lane);
  if (over || lane.webhook.deleted || lane.webhook.silent || (!lane.webhook.active && !chosen->redelivery)) {
    lane.changed = true;  // given back: the claim ends it
    return std::nullopt;
  }
  if (!has_place(lane, *chosen)) return std::nullopt;
  return Departure{lane.webhook, *chosen, timeout_of(*chosen, at.now)};
}

bool Planner::has_slot(const Lane& lane, const Delivery& delivery) const {
  const bool failing = lane.webhook.failing();
  if (lane.in_flight >= (failing ? 1 : options_.per_webhook)) return false;
  const auto fits = [&](std::int64_t used, std::int64_t most) {
    return used == 0 || used + delivery.body_bytes <= most;
  };
  if (!fits(bytes_, options_.body_bytes)) return false;
  if (!failing && delivery.attempts == 0) return true;
  const auto slow_most = std::llround(static_cast<double>(options_.body_bytes) * options_.slow_part);
  return slow_room() > 0 && fits(slow_bytes_, slow_most);
}

// Beside other nodes, only what is over before another could take the webhook.
bool Planner::may_start(const Lane& lane, std::int64_t steady) const {
  if (lane.changed || steady < write_after_) return false;
  return !is_shared() || (lane.lease && steady + options_.timeout.count() <= lane.lease->sure_until);
}

bool Planner::has_place(const Lane& lane, const Delivery& delivery) {
  const Places::Answer answer = places_.may_take(asking(lane.webhook, delivery));
  if (answer == Places::Answer::Later) some_wait_for_place_ = true;
  return answer == Places::Answer::Yes;
}

void Planner::take_turn(const Departure& departure) {
  Lane& lane = lanes_.at(departure.delivery.webhook);
  std::erase_if(lane.ready, [&](const Delivery& each) { return each.ref == departure.delivery.ref; });
  lane.place = ++last_place_;
  any_left_ = true;
}

void Planner::sent(const Departure& departure, std::string request_headers, const Moment& at) {
  const Delivery& delivery = departure.delivery;
  const bool slow = departure.webhook.failing() || delivery.attempts > 0;
  take_turn(departure);
  ++lanes_.at(delivery.webhook).in_flight;
  bytes_ += delivery.body_bytes;
  places_.take(delivery.ref, asking(departure.webhook, delivery), at.steady);
  if (slow) {
    ++slow_;
    slow_bytes_ += delivery.body_bytes;
  }
  flights_.emplace(delivery.ref, Flight{delivery, std::move(request_headers), at.steady, slow});
}

// An attempt that never left.
Planner::End Planner::refuse(const Departure& departure, std::string why, bool final, const Moment& at,
                             Random& random) {
  take_turn(departure);
  Response response;
  response.delivery = departure.delivery.ref;
  response.error = std::move(why);
  return finish({departure.delivery, {}, at.steady, false}, response, final, at, random);
}

milliseconds Planner::timeout_of(const Delivery& delivery, DateTime now) const {
  const std::int64_t left = delivery.attempts == 0 ? options_.schedule.hour : delivery.deadline.ms - now.ms;
  if (left <= 0) return options_.timeout;  // the one attempt after an hour that passed while nothing ran
  return std::min(options_.timeout, std::max(shortest_timeout, milliseconds(left)));
}

}  // namespace callisto::webhooks
