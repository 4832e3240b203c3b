// What a Dispatcher sends next, and the making of its requests.
#include "webhooks/body.h"
#include "webhooks/dispatcher.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace callisto::webhooks {

using std::chrono::milliseconds;

namespace {

constexpr milliseconds shortest_timeout{1'000};  // no receiver could answer sooner for certain

Places::Asking asking(const Webhook& webhook, const Delivery& delivery) {
  return {webhook.ref, webhook.url, webhook.failing(), delivery.body_bytes};
}

}  // namespace

// Whoever waits longest first: one each, until nobody has anything to start. Not those behind the one whose turn was
// last: of several that wait for the same host, a busy webhook elsewhere would make some always the first.
void Dispatcher::start_ready() {
  if (stopping_ || draining_) return;  // stopped in the middle of a turn, or before this one
  places_.pass(clock_.steady_ms());
  some_wait_for_place_ = false;
  std::vector<Lane*> line;
  for (auto& [ref, lane] : lanes_)
    if (!lane.ready.empty()) line.push_back(&lane);
  std::sort(line.begin(), line.end(), [](const Lane* one, const Lane* other) { return one->place < other->place; });
  for (bool any = true; any;) {
    any = false;
    for (Lane* lane : line)
      if (flights_.size() < options_.slots && start_one(*lane)) {
        any = true;
        lane->place = ++last_place_;
      }
  }
}

bool Dispatcher::has_slot(const Lane& lane, const Delivery& delivery) const {
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
bool Dispatcher::may_start(const Lane& lane) const {
  if (lane.changed || clock_.steady_ms() < write_after_) return false;
  return !is_shared() || (lane.lease && clock_.steady_ms() + options_.timeout.count() <= lane.lease->sure_until);
}

// Null where it is gone.
Result<std::shared_ptr<const std::string>> Dispatcher::body_of(const Delivery& delivery) const {
  if (delivery.small_body) return delivery.small_body;
  CALLISTO_TRY(auto read, read_body(*reader_, delivery.body));
  return read ? std::make_shared<const std::string>(*std::move(read)) : nullptr;
}

bool Dispatcher::has_place(const Lane& lane, const Delivery& delivery) {
  const Places::Answer answer = places_.may_take(asking(lane.webhook, delivery));
  if (answer == Places::Answer::Later) some_wait_for_place_ = true;
  return answer == Places::Answer::Yes;
}

// Whether an attempt was begun: of the first that there is room for, since a retry that has to wait holds up no other.
bool Dispatcher::start_one(Lane& lane) {
  if (!may_start(lane)) return false;
  const auto chosen = std::find_if(lane.ready.begin(), lane.ready.end(),
                                   [&](const Delivery& delivery) { return has_slot(lane, delivery); });
  if (chosen == lane.ready.end()) return false;
  const DateTime now = this->now();
  const bool over = chosen->attempts > 0 && chosen->deadline <= now && chosen->deadline > since_of(lane);
  if (over || lane.webhook.deleted || lane.webhook.silent || (!lane.webhook.active && !chosen->redelivery)) {
    lane.changed = true;  // given back: the claim ends it
    return false;
  }
  if (!has_place(lane, *chosen)) return false;
  const Delivery delivery = *chosen;
  auto body = body_of(delivery);
  if (!body) {
    back_off(body.error());
    return false;
  }
  lane.ready.erase(chosen);
  Flight flight{delivery, {}, clock_.steady_ms(), lane.webhook.failing() || delivery.attempts > 0};
  if (!*body) {
    refuse(flight, "The body of this delivery is not kept any more.", true);
    return true;
  }
  auto request = maker_.make(lane.webhook, delivery, *std::move(body), now);
  if (!request) {
    refuse(flight, request.error().message, false);
    return true;
  }
  request->timeout = timeout_of(delivery, now);
  take_off(lane, std::move(flight), *std::move(request));
  return true;
}

void Dispatcher::take_off(Lane& lane, Flight flight, Request request) {
  flight.request_headers = header_lines(request.headers);
  ++lane.in_flight;
  bytes_ += flight.delivery.body_bytes;
  places_.take(request.delivery, asking(lane.webhook, flight.delivery), clock_.steady_ms());
  if (flight.slow) {
    ++slow_;
    slow_bytes_ += flight.delivery.body_bytes;
  }
  flights_.emplace(request.delivery, std::move(flight));
  transport_.start(std::move(request));
}

// An attempt that never left.
void Dispatcher::refuse(const Flight& flight, std::string why, bool final) {
  Response response;
  response.delivery = flight.delivery.ref;
  response.error = std::move(why);
  finish(flight, response, final);
}

milliseconds Dispatcher::timeout_of(const Delivery& delivery, DateTime now) const {
  const std::int64_t left = delivery.attempts == 0 ? options_.schedule.hour : delivery.deadline.ms - now.ms;
  if (left <= 0) return options_.timeout;  // the one attempt after an hour that passed while nothing ran
  return std::min(options_.timeout, std::max(shortest_timeout, milliseconds(left)));
}

}  // namespace callisto::webhooks
