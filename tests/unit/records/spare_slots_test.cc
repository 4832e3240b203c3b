#include "engine/records/spare_slots.h"

#include <catch2/catch.hpp>

#include <future>
#include <thread>
#include <vector>

namespace callisto::records {

namespace {

using std::chrono::milliseconds;

void wait_for_maker(const SpareSlots& slots) {
  while (slots.is_making()) std::this_thread::yield();
}

// Slots of nothing, which count themselves.
struct Spares {
  explicit Spares(std::size_t most, std::size_t can_make = 100)
      : slots(most, [this, can_make]() -> Result<std::unique_ptr<Slot>> {
          ++asked;
          if (asked > can_make) return bad_format("no memory");
          return std::make_unique<Slot>();
        }) {}
  // Once more where one was made meanwhile.
  Slots::Lease borrow(FairTurns::Owner owner = FairTurns::nobody, bool is_alone = false) {
    auto lease = slots.try_borrow({owner, is_alone, commits}, now);
    wait_for_maker(slots);
    return lease ? std::move(lease) : slots.try_borrow({owner, is_alone, commits}, now);
  }
  std::size_t lent(FairTurns::Owner owner, bool is_alone) {
    std::vector<Slots::Lease> held;
    for (int i = 0; i < 40; ++i)
      if (auto lease = borrow(owner, is_alone)) held.push_back(std::move(lease));
    return held.size();
  }
  ~Spares() { wait_for_maker(slots); }

  std::size_t asked = 0;
  SpareSlots slots;
  std::optional<storage::Commits> commits{storage::Commits{}};
  SpareSlots::Clock::time_point now{std::chrono::hours(1)};
};

}  // namespace

TEST_CASE("spare slots are made when they are needed, and lent again afterwards") {
  Spares spare(3);
  CHECK(spare.slots.size() == 0);
  {
    const auto first = spare.borrow();
    CHECK(first);
    CHECK(spare.slots.size() == 1);
    const auto second = spare.borrow();
    CHECK(second);
  }
  CHECK(spare.borrow());
  CHECK(spare.asked == 2);
  std::vector<Slots::Lease> all;
  for (int i = 0; i < 5; ++i) all.push_back(spare.borrow());
  CHECK((all[2] && !all[3] && !all[4]));
  CHECK(spare.asked == 3);
}

TEST_CASE("nobody waits for a spare slot that is made") {
  std::promise<void> lets_connect;
  SpareSlots slots(1, [&]() -> Result<std::unique_ptr<Slot>> {
    lets_connect.get_future().wait();
    return std::make_unique<Slot>();
  });
  const SpareSlots::Request request{7, true, storage::Commits{}};
  for (int i = 0; i < 5; ++i) CHECK_FALSE(slots.try_borrow(request));
  CHECK(slots.is_making());
  lets_connect.set_value();
  wait_for_maker(slots);
  CHECK(slots.try_borrow(request));
}

TEST_CASE("one person leaves spare slots to the others") {
  Spares spare(8);
  CHECK(spare.lent(7, false) == 4);
  CHECK(spare.borrow(8));
}

TEST_CASE("who is alone has three times as many spare slots, until somebody comes") {
  Spares spare(4);
  CHECK(spare.lent(7, false) == 2);
  CHECK(spare.lent(7, true) == 2 + 4);
  CHECK(spare.slots.size() == 4 + 8);
  CHECK(spare.lent(7, false) == 2);
}

TEST_CASE("no spare slot is lent while others write, or where nobody counts what they do") {
  Spares spare(2);
  const auto [commits, passed, lent] = GENERATE(table<std::optional<storage::Commits>, milliseconds, bool>({
      {storage::Commits{5, false}, milliseconds(1), true},   // the same as before
      {storage::Commits{6, false}, milliseconds(1), false},  // one more, just now
      {storage::Commits{6, false}, milliseconds(99), false},
      {storage::Commits{6, false}, milliseconds(100), true},  // some time since the last look
      {storage::Commits{7, false}, milliseconds(199), false},
      {storage::Commits{7, false}, milliseconds(200), true},
      {storage::Commits{1005, false}, milliseconds(50'000), false},
      {storage::Commits{5, true}, milliseconds(1), true},  // on PostgreSQL, by other processes
      {storage::Commits{6, true}, milliseconds(1), false},
      {std::nullopt, milliseconds(1000), false},
  }));
  spare.commits = storage::Commits{5, false};
  REQUIRE(spare.borrow());
  spare.commits = commits;
  spare.now += passed;
  CHECK(bool(spare.borrow()) == lent);
}

TEST_CASE("a while after the last commit spare slots are lent again") {
  Spares spare(2);
  spare.borrow();
  spare.commits = storage::Commits{1, false};
  for (int i = 0; i < 10; ++i, spare.now += milliseconds(10)) CHECK_FALSE(spare.borrow());
  CHECK(spare.borrow());
}

TEST_CASE("no spare slot is lent where many quick requests wait in turn: more of one who is alone") {
  const auto [is_alone, slots] = GENERATE(table<bool, std::size_t>({{false, 2}, {true, 6}}));
  Spares spare(2);
  std::vector<std::unique_ptr<SpareSlots::Waiting>> waiting;
  while (waiting.size() < slots * SpareSlots::most_waiting) {
    CHECK(spare.borrow(FairTurns::nobody, is_alone));
    waiting.push_back(std::make_unique<SpareSlots::Waiting>(&spare.slots));
    const SpareSlots::Waiting other(nullptr);
  }
  CHECK_FALSE(spare.borrow(FairTurns::nobody, is_alone));
  waiting.pop_back();
  CHECK(spare.borrow(FairTurns::nobody, is_alone));
}

TEST_CASE("what cannot be made is tried again after a minute, and those that are there go on") {
  Spares spare(5, 1);
  {
    const auto first = spare.borrow();
    CHECK(first);
    CHECK_FALSE(spare.borrow());
    CHECK_FALSE(spare.borrow());
  }
  CHECK(spare.asked == 2);
  const auto first = spare.borrow();
  CHECK(first);
  spare.now += SpareSlots::made_again_after - milliseconds(1);
  CHECK_FALSE(spare.borrow());
  CHECK(spare.asked == 2);
  spare.now += milliseconds(1);
  CHECK_FALSE(spare.borrow());
  CHECK(spare.asked == 3);
}

}  // namespace callisto::records
