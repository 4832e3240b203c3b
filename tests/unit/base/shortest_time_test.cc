#include "engine/base/shortest_time.h"

#include <catch2/catch.hpp>

namespace callisto {

namespace {

using std::chrono::microseconds;

constexpr microseconds limit(1000);

}  // namespace

TEST_CASE("the shortest time is that of the quickest, however long others waited") {
  ShortestTime time;
  CHECK_FALSE(time.is_below(limit));  // nobody knows
  time.note(microseconds(5000));
  CHECK_FALSE(time.is_below(limit));
  time.note(microseconds(60));
  CHECK(time.is_below(limit));
  for (int i = 0; i < 10; ++i) time.note(microseconds(5000));
  CHECK(time.is_below(limit));
  time.note(microseconds(0));
  CHECK(time.is_below(microseconds(2)));
}

TEST_CASE("what has become slow is known as slow after a while, and never as slower than it is") {
  ShortestTime time;
  time.note(microseconds(60));
  int needed = 0;
  for (; time.is_below(limit); ++needed) time.note(microseconds(5000));
  CHECK(needed > 10);
  CHECK(needed < 40);
  for (int i = 0; i < 1000; ++i) time.note(microseconds(1200));
  CHECK(time.is_below(microseconds(1352)));
  CHECK_FALSE(time.is_below(microseconds(1200)));
}

}  // namespace callisto
