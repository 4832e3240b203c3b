// FairTurns: which owner gets the next of a few places, so that no owner blocks the others. An owner holds at most half
// of the places, and the last free one goes only to an owner who holds none. Owners wait in turn, one after the other,
// however many requests each of them has. Long work is remembered for a while: an owner who had much of it lately gets
// one place at a time, and for a shorter time. Not thread-safe: FairPool holds its lock around every call.
#pragma once

#include "engine/base/arrival.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>

namespace callisto {

class FairTurns {
 public:
  using Owner = std::uint64_t;  // a person or an address
  using Clock = std::chrono::steady_clock;
  static constexpr Owner nobody = 0;  // the program itself, which has no limit

  static constexpr std::chrono::milliseconds long_work{500};   // what takes less is not remembered
  static constexpr std::chrono::seconds half_life{20};         // of what is
  static constexpr std::chrono::seconds much{10};              // from so much on there is one place
  static constexpr std::chrono::milliseconds longest{10'000};  // a place is to be held
  static constexpr std::chrono::milliseconds shortest{1'000};  // by whoever has had very much
  static constexpr std::size_t most_owners = 1024;             // remembered
  static constexpr std::chrono::seconds alone{1};              // is who has been the only one to ask for so long

  enum class Turn { Last, Next };  // Next: of one who has waited for a turn before
  struct Waiter {
    Owner owner = nobody;
    Turn turn = Turn::Last;
    Arrival arrived;
    void* item = nullptr;
  };

  void add_place() { ++places_, ++free_; }
  std::size_t waiting() const { return waiting_; }

  // Whether it may have a place at once; it has it then.
  bool take(Owner owner, Clock::time_point now);
  void wait(Waiter& waiter);
  bool give_up(Waiter& waiter);  // false: it waits no more
  void give_back(Owner owner, Clock::duration held, Clock::time_point now);
  Waiter* next(Clock::time_point now);  // who has a place now; null: nobody may, or nobody waits
  std::chrono::milliseconds patience_with(Owner owner, Clock::time_point now) const;
  // Nobody else holds a place, or has asked for one lately.
  bool is_alone(Owner owner, Clock::time_point now) const;

 private:
  struct Group {
    std::size_t held = 0;
    std::deque<Waiter*> waiting;  // in front those whose turn is Next
    std::size_t ahead = 0;        // how many those are
    double work = 0;              // seconds of long work, as they counted at `since`
    Clock::time_point since;
    double work_at(Clock::time_point now) const;
  };
  bool may_hold_more(Owner owner, const Group& group, Clock::time_point now) const;
  void leave_queue(Owner owner);
  void forget_some(Clock::time_point now);

  std::size_t places_ = 0, free_ = 0, waiting_ = 0;
  std::unordered_map<Owner, Group> groups_;
  std::deque<Owner> queue_;  // those of whom somebody waits, each once
  Owner asking_ = nobody;    // nobody else has asked
  Clock::time_point asking_since_;
};

}  // namespace callisto
