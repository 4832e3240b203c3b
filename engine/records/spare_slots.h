// SpareSlots: more slots, for requests that are known to be quick and would have to wait for one of the others. A turn
// that one thread hands to another costs two wakings, which is much beside a request of 50 us. Spare ones are made when
// they are first needed, by a thread of their own, and lent while nobody writes: more readers leave less of the
// processors to the one who writes (decision 0023). Persons share them as they share the others; whoever is alone has
// more of them. Owns its slots; any thread may call.
#pragma once

#include "engine/records/slot.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace callisto::records {

class SpareSlots {
 public:
  using Make = std::function<Result<std::unique_ptr<Slot>>()>;
  using Clock = std::chrono::steady_clock;

  static constexpr std::chrono::microseconds quick{1000};  // what takes less is
  static constexpr std::chrono::milliseconds quiet{100};   // between commits; where they come closer, none is lent

  static constexpr std::chrono::minutes made_again_after{1};  // what could not be
  static constexpr std::size_t most_waiting = 8;              // for each of the most slots: quick requests in turn

  // A quick request that waits in turn for one of the others. Where many do, all take turns: else those who wait would
  // wait behind all who come later.
  class Waiting {
   public:
    explicit Waiting(SpareSlots* slots) : slots_(slots) {  // null: not a quick one
      if (slots_) ++slots_->waiting_;
    }
    ~Waiting() {
      if (slots_) --slots_->waiting_;
    }
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    SpareSlots* const slots_;
  };

  // `most` for all, and twice as many for one who is alone. `make`: by one thread at a time, none of those that borrow;
  // a database may let new connections wait.
  SpareSlots(std::size_t most, Make make) : shared_{most, {}}, for_one_{2 * most, {}}, make_(std::move(make)) {}

  struct Request {
    FairTurns::Owner owner = FairTurns::nobody;
    bool is_alone = false;                    // nobody else asks
    std::optional<storage::Commits> commits;  // until now; where nobody counts them, none is lent
  };
  // An empty Lease: none is free for the owner or made yet, many wait, or somebody has just written.
  Slots::Lease try_borrow(const Request& request, Clock::time_point now = Clock::now());
  std::size_t size() const { return shared_.slots.size() + for_one_.slots.size(); }
  bool is_making() const;  // another one

 private:
  struct Part {
    const std::size_t most;
    Slots slots;
  };
  bool is_quiet(std::uint64_t commits, Clock::time_point now);
  Slots::Lease lend(Part& part, FairTurns::Owner owner, Clock::time_point now);
  void add(Part& part, Clock::time_point now);
  void make(Part& part, Clock::time_point now);

  Part shared_;
  Part for_one_;  // who may hold half of them, as of all that are shared
  const Make make_;
  std::atomic<std::size_t> waiting_ = 0;
  std::mutex looking_;      // of what follows
  std::uint64_t seen_ = 0;  // commits
  Clock::time_point looked_at_, written_at_;
  mutable std::mutex making_;  // of what follows
  bool is_making_ = false;
  Clock::time_point make_again_at_;
  std::jthread maker_;  // ends before anything else does
};

}  // namespace callisto::records
