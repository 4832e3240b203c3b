// Whoever has many requests, or long ones, leaves places for the others; and no place stays free while somebody may
// have it.
#include "engine/base/fair_turns.h"

#include <catch2/catch.hpp>

#include <map>
#include <memory>
#include <random>
#include <vector>

using namespace callisto;
using std::chrono::milliseconds;
using std::chrono::seconds;

namespace {

using Turn = FairTurns::Turn;
constexpr FairTurns::Owner anna = 1, bob = 2, carla = 3;
const FairTurns::Clock::time_point start{};

FairTurns with_places(std::size_t count) {
  FairTurns turns;
  for (std::size_t i = 0; i < count; ++i) turns.add_place();
  return turns;
}

std::size_t taken(FairTurns& turns, FairTurns::Owner owner, std::size_t wanted,
                  FairTurns::Clock::time_point now = start) {
  std::size_t got = 0;
  while (got < wanted && turns.take(owner, now)) ++got;
  return got;
}

}  // namespace

TEST_CASE("one owner holds at most half of the places, and one at least") {
  const auto [places, most] = GENERATE(
      table<std::size_t, std::size_t>({{1, 1}, {2, 1}, {3, 1}, {4, 2}, {5, 2}, {6, 3}, {7, 3}, {12, 6}, {48, 24}}));
  FairTurns turns = with_places(places);
  CAPTURE(places);
  CHECK(taken(turns, anna, places) == most);
}

TEST_CASE("the program itself has no limit") {
  FairTurns turns = with_places(6);
  CHECK(taken(turns, FairTurns::nobody, 10) == 6);
}

TEST_CASE("the last free place is for one who holds none, however many hold the others") {
  FairTurns turns = with_places(6);
  CHECK(taken(turns, anna, 6) == 3);
  CHECK(taken(turns, bob, 6) == 2);
  CHECK(taken(turns, carla, 6) == 1);
}

TEST_CASE("owners who wait come in turn, not by how many requests they have") {
  FairTurns turns = with_places(2);
  REQUIRE(turns.take(carla, start));
  REQUIRE(turns.take(bob, start));
  std::vector<std::unique_ptr<FairTurns::Waiter>> waiters;
  const auto wait = [&](FairTurns::Owner owner, Turn turn = Turn::Last) {
    waiters.push_back(std::make_unique<FairTurns::Waiter>());
    waiters.back()->owner = owner;
    waiters.back()->turn = turn;
    turns.wait(*waiters.back());
  };
  for (int i = 0; i < 4; ++i) wait(anna);
  wait(carla);
  wait(bob);
  std::vector<FairTurns::Owner> order;
  const auto one_ends = [&](FairTurns::Owner owner) {
    turns.give_back(owner, milliseconds(1), start);
    while (const auto* next = turns.next(start)) order.push_back(next->owner);
  };
  for (const auto owner : {carla, anna, bob, carla, anna}) one_ends(owner);
  CHECK(order == std::vector<FairTurns::Owner>{anna, carla, bob, anna, anna});
  CHECK(turns.waiting() == 1);
}

TEST_CASE("who has waited before goes first, also of one who waits already") {
  FairTurns turns = with_places(1);
  REQUIRE(turns.take(carla, start));
  FairTurns::Waiter first, second, third;
  first.owner = anna;
  second.owner = third.owner = bob;
  third.turn = Turn::Next;
  turns.wait(first);
  turns.wait(second);
  turns.wait(third);
  turns.give_back(carla, milliseconds(1), start);
  CHECK(turns.next(start) == &third);
  CHECK_FALSE(turns.give_up(third));
  CHECK(turns.give_up(first));
  turns.give_back(bob, milliseconds(1), start);
  CHECK(turns.next(start) == &second);
}

TEST_CASE("much long work leaves one place and less time, and is forgotten") {
  FairTurns turns = with_places(6);
  CHECK(turns.patience_with(anna, start) == FairTurns::longest);
  for (int i = 0; i < 3; ++i) REQUIRE(turns.take(anna, start));
  for (int i = 0; i < 3; ++i) turns.give_back(anna, seconds(10), start);
  CHECK(taken(turns, anna, 6) == 1);
  const auto now = turns.patience_with(anna, start);
  CHECK(now < seconds(3));
  CHECK(now >= FairTurns::shortest);
  CHECK(turns.patience_with(bob, start) == FairTurns::longest);
  CHECK(turns.patience_with(anna, start + FairTurns::half_life) > now);
  CHECK(taken(turns, anna, 6, start + 2 * FairTurns::half_life) == 2);
  CHECK(turns.patience_with(anna, start + 5 * FairTurns::half_life) == FairTurns::longest);
}

TEST_CASE("short work is not remembered, however much of it there is") {
  FairTurns turns = with_places(6);
  for (int i = 0; i < 10'000; ++i) {
    REQUIRE(turns.take(anna, start));
    turns.give_back(anna, milliseconds(100), start);
  }
  CHECK(taken(turns, anna, 6) == 3);
  CHECK(turns.patience_with(anna, start) == FairTurns::longest);
}

TEST_CASE("who asks is alone until somebody else asks, and a second after the other has gone") {
  FairTurns turns = with_places(4);
  const auto at = [](int ms) { return start + seconds(100) + milliseconds(ms); };
  CHECK_FALSE(turns.is_alone(anna, at(0)));  // has not asked
  REQUIRE(turns.take(anna, at(0)));
  CHECK(turns.is_alone(anna, at(0)));
  REQUIRE(turns.take(FairTurns::nobody, at(1)));
  CHECK_FALSE(turns.is_alone(anna, at(1)));  // beside what the program does
  turns.give_back(FairTurns::nobody, {}, at(2));
  CHECK(turns.is_alone(anna, at(2)));

  REQUIRE(turns.take(bob, at(5000)));
  CHECK_FALSE(turns.is_alone(anna, at(5000)));
  turns.take(anna, at(5100));
  CHECK_FALSE(turns.is_alone(anna, at(9000)));  // he holds it still
  turns.give_back(bob, {}, at(9000));
  CHECK(turns.is_alone(anna, at(9000)));

  REQUIRE(turns.take(bob, at(10'000)));
  turns.give_back(bob, {}, at(10'001));
  turns.take(anna, at(10'002));
  CHECK_FALSE(turns.is_alone(anna, at(11'001)));
  CHECK(turns.is_alone(anna, at(11'002)));
}

TEST_CASE("of those who wait in turn nobody is alone") {
  FairTurns turns = with_places(4);
  REQUIRE(taken(turns, anna, 4) == 2);
  REQUIRE(taken(turns, bob, 4) == 1);
  CHECK_FALSE(turns.take(bob, start + seconds(9)));  // and waits from now on
  CHECK_FALSE(turns.is_alone(anna, start + seconds(99)));
  CHECK_FALSE(turns.is_alone(bob, start + seconds(99)));
}

TEST_CASE("however requests come and go, no owner has too many, and none waits for a place that it may have") {
  std::mt19937_64 random(GENERATE(range<std::uint64_t>(1, 21)));
  const std::size_t places = 1 + random() % 8;
  FairTurns turns = with_places(places);
  std::map<FairTurns::Owner, std::size_t> held;
  std::vector<std::unique_ptr<FairTurns::Waiter>> waiting;
  std::size_t in_use = 0;
  auto now = start;
  const auto hand_on = [&] {
    while (auto* const next = turns.next(now)) {
      ++held[next->owner], ++in_use;
      std::erase_if(waiting, [next](const auto& each) { return each.get() == next; });
    }
  };
  for (int step = 0; step < 5000; ++step) {
    now += milliseconds(random() % 300);
    const FairTurns::Owner owner = 1 + random() % 5;
    if (const auto what = random() % 3; what == 0 && held[owner] > 0) {
      --held[owner], --in_use;
      turns.give_back(owner, milliseconds(random() % 3000), now);
      hand_on();
    } else if (what == 1 && !waiting.empty() && random() % 4 == 0) {
      auto& one = waiting[random() % waiting.size()];
      REQUIRE(turns.give_up(*one));
      std::swap(one, waiting.back());
      waiting.pop_back();
    } else if (turns.take(owner, now)) {
      ++held[owner], ++in_use;
    } else {
      waiting.push_back(std::make_unique<FairTurns::Waiter>());
      waiting.back()->owner = owner;
      waiting.back()->turn = random() % 4 == 0 ? Turn::Next : Turn::Last;
      turns.wait(*waiting.back());
    }
    bool is_fair = in_use <= places && turns.waiting() == waiting.size();
    for (const auto& [each, count] : held) is_fair = is_fair && count <= std::max<std::size_t>(places / 2, 1);
    for (const auto& each : waiting) is_fair = is_fair && (in_use == places || held[each->owner] > 0);
    if (!is_fair) FAIL("step " << step << " of " << places << " places");
  }
}
