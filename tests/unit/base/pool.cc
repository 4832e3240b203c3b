#include "engine/base/pool.h"

#include <catch2/catch.hpp>

#include <future>
#include <thread>
#include <vector>

namespace callisto {

namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr milliseconds no_patience(0);
constexpr milliseconds for_ever = hours(1);
constexpr FairTurns::Owner no_owner = FairTurns::nobody;

}  // namespace

TEST_CASE("A pool lends each item to one borrower at a time") {
  FairPool<int> pool;
  pool.add(std::make_unique<int>(1));
  pool.add(std::make_unique<int>(2));
  CHECK(pool.size() == 2);
  auto first = pool.borrow(no_owner, no_patience);
  auto second = pool.borrow(no_owner, no_patience);
  REQUIRE(first);
  REQUIRE(second);
  CHECK(*first + *second == 3);
  CHECK_FALSE(pool.borrow(no_owner, no_patience));
  second.release();
  CHECK(pool.borrow(no_owner, no_patience));
}

TEST_CASE("A borrower whose patience ends gets nothing and leaves no trace in the queue") {
  FairPool<int> pool;
  pool.add(std::make_unique<int>(1));
  auto held = pool.borrow(no_owner, no_patience);
  CHECK_FALSE(pool.borrow(no_owner, milliseconds(1)));
  held.release();
  CHECK(pool.borrow(no_owner, no_patience));
}

TEST_CASE("A moved lease gives its item back once") {
  FairPool<int> pool;
  pool.add(std::make_unique<int>(1));
  auto first = pool.borrow(no_owner, no_patience);
  auto second = std::move(first);
  CHECK(second);
  FairPool<int>::Lease third;
  third = std::move(second);
  CHECK_FALSE(pool.borrow(no_owner, no_patience));
  third.release();
  auto again = pool.borrow(no_owner, no_patience);
  CHECK(again);
  CHECK_FALSE(pool.borrow(no_owner, no_patience));
}

TEST_CASE("An added item goes to a waiting borrower of another thread") {
  FairPool<int> pool;
  auto waiter = std::async(std::launch::async, [&] { return *pool.borrow(no_owner, for_ever); });
  pool.add(std::make_unique<int>(42));
  CHECK(waiter.get() == 42);
}

TEST_CASE("A returned item goes to whoever has waited longest") {
  FairPool<int> pool;
  pool.add(std::make_unique<int>(0));
  auto held = pool.borrow(no_owner, no_patience);
  constexpr int waiters = 4;
  std::vector<std::future<int>> turns;
  for (int i = 0; i < waiters; ++i) {
    turns.push_back(std::async(std::launch::async, [&] { return (*pool.borrow(no_owner, for_ever))++; }));
    while (pool.waiting() != static_cast<std::size_t>(i) + 1) std::this_thread::yield();
  }
  held.release();
  for (int i = 0; i < waiters; ++i) CHECK(turns[static_cast<std::size_t>(i)].get() == i);
  CHECK(pool.waiting() == 0);
}

TEST_CASE("Whoever has waited before goes ahead of those who wait") {
  FairPool<int> pool;
  pool.add(std::make_unique<int>(0));
  auto held = pool.borrow(no_owner, no_patience);
  std::vector<std::future<int>> turns;
  using Turn = FairPool<int>::Turn;
  for (const auto turn : {Turn::Last, Turn::Next, Turn::Next, Turn::Last}) {
    turns.push_back(std::async(std::launch::async, [&, turn] { return (*pool.borrow(no_owner, for_ever, turn))++; }));
    while (pool.waiting() != turns.size()) std::this_thread::yield();
  }
  held.release();
  std::vector<int> came;
  for (auto& turn : turns) came.push_back(turn.get());
  CHECK(came == std::vector{2, 0, 1, 3});
}

TEST_CASE("One whose patience ends leaves the turns of the others as they were") {
  FairPool<int> pool;
  pool.add(std::make_unique<int>(0));
  auto held = pool.borrow(no_owner, no_patience);
  auto last = std::async(std::launch::async, [&] { return (*pool.borrow(no_owner, for_ever))++; });
  while (pool.waiting() != 1) std::this_thread::yield();
  CHECK_FALSE(pool.borrow(no_owner, milliseconds(1), FairPool<int>::Turn::Next));
  auto behind = std::async(std::launch::async, [&] { return (*pool.borrow(no_owner, for_ever))++; });
  while (pool.waiting() != 2) std::this_thread::yield();
  auto next =
      std::async(std::launch::async, [&] { return (*pool.borrow(no_owner, for_ever, FairPool<int>::Turn::Next))++; });
  while (pool.waiting() != 3) std::this_thread::yield();
  held.release();
  CHECK(next.get() == 0);
  CHECK(last.get() == 1);
  CHECK(behind.get() == 2);
}

TEST_CASE("Many threads share few items without two holding one") {
  FairPool<int> pool;
  pool.add(std::make_unique<int>(0));
  pool.add(std::make_unique<int>(0));
  constexpr int threads = 8;
  constexpr int rounds = 500;
  std::vector<std::future<void>> workers;
  for (int i = 0; i < threads; ++i)
    workers.push_back(std::async(std::launch::async, [&] {
      for (int round = 0; round < rounds; ++round) ++*pool.borrow(no_owner, for_ever);
    }));
  for (auto& worker : workers) worker.get();
  const auto first = pool.borrow(no_owner, no_patience);
  const auto second = pool.borrow(no_owner, no_patience);
  CHECK(*first + *second == threads * rounds);
}

}  // namespace callisto
