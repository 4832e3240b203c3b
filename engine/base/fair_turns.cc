#include "engine/base/fair_turns.h"

#include <algorithm>
#include <cmath>

namespace callisto {

double FairTurns::Group::work_at(Clock::time_point now) const {
  if (work == 0) return 0;
  const std::chrono::duration<double> passed = now - since;
  return work * std::exp2(-passed / std::chrono::duration<double>(half_life));
}

bool FairTurns::may_hold_more(Owner owner, const Group& group, Clock::time_point now) const {
  if (free_ == 0) return false;
  if (group.held == 0 || owner == nobody) return true;
  if (free_ == 1 || group.held >= places_ / 2) return false;
  return group.work_at(now) < std::chrono::duration<double>(much).count();
}

bool FairTurns::take(Owner owner, Clock::time_point now) {
  if (owner != nobody && owner != asking_) {
    if (asking_ != nobody) asking_since_ = now;
    asking_ = owner;
  }
  Group& group = groups_[owner];
  if (!group.waiting.empty() || !may_hold_more(owner, group, now)) return false;
  ++group.held;
  --free_;
  return true;
}

void FairTurns::wait(Waiter& waiter) {
  Group& group = groups_[waiter.owner];
  const bool is_new = group.waiting.empty();
  if (waiter.turn == Turn::Next)
    group.waiting.insert(group.waiting.begin() + static_cast<std::ptrdiff_t>(group.ahead++), &waiter);
  else group.waiting.push_back(&waiter);
  ++waiting_;
  if (waiter.turn == Turn::Next) {
    if (!is_new) leave_queue(waiter.owner);
    queue_.push_front(waiter.owner);
  } else if (is_new) {
    queue_.push_back(waiter.owner);
  }
}

void FairTurns::leave_queue(Owner owner) { queue_.erase(std::find(queue_.begin(), queue_.end(), owner)); }

bool FairTurns::give_up(Waiter& waiter) {
  Group& group = groups_[waiter.owner];
  if (std::erase(group.waiting, &waiter) == 0) return false;
  if (waiter.turn == Turn::Next) --group.ahead;
  --waiting_;
  if (group.waiting.empty()) leave_queue(waiter.owner);
  return true;
}

void FairTurns::give_back(Owner owner, Clock::duration held, Clock::time_point now) {
  Group& group = groups_[owner];
  --group.held;
  ++free_;
  if (held >= long_work) {
    group.work = group.work_at(now) + std::chrono::duration<double>(held).count();
    group.since = now;
  }
  if (groups_.size() > most_owners) forget_some(now);
}

FairTurns::Waiter* FairTurns::next(Clock::time_point now) {
  for (auto place = queue_.begin(); place != queue_.end(); ++place) {
    const Owner owner = *place;
    Group& group = groups_[owner];
    if (!may_hold_more(owner, group, now)) continue;
    Waiter* const first = group.waiting.front();
    group.waiting.pop_front();
    if (first->turn == Turn::Next) --group.ahead;
    --waiting_;
    ++group.held;
    --free_;
    queue_.erase(place);
    if (!group.waiting.empty()) queue_.push_back(owner);
    return first;
  }
  return nullptr;
}

std::chrono::milliseconds FairTurns::patience_with(Owner owner, Clock::time_point now) const {
  const auto group = groups_.find(owner);
  const double work = group == groups_.end() || owner == nobody ? 0 : group->second.work_at(now);
  const double half = std::chrono::duration<double>(much).count() / 2;
  if (work <= half) return longest;
  return std::max(shortest,
                  std::chrono::milliseconds(std::llround(static_cast<double>(longest.count()) * half / work)));
}

bool FairTurns::is_alone(Owner owner, Clock::time_point now) const {
  const auto group = groups_.find(owner);
  const std::size_t own = group == groups_.end() ? 0 : group->second.held;
  return owner == asking_ && now - asking_since_ >= alone && free_ + own == places_;
}

// Those of whom nothing runs, waits or is worth remembering; and, where that is nearly none, whose work was least.
void FairTurns::forget_some(Clock::time_point now) {
  constexpr double little = 0.1;
  const auto is_idle = [](const Group& group) { return group.held == 0 && group.waiting.empty(); };
  std::erase_if(groups_, [&](const auto& each) { return is_idle(each.second) && each.second.work_at(now) < little; });
  if (groups_.size() <= most_owners / 2) return;
  const double enough = std::chrono::duration<double>(much).count();
  std::erase_if(groups_, [&](const auto& each) { return is_idle(each.second) && each.second.work_at(now) < enough; });
}

}  // namespace callisto
