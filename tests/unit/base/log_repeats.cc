#include "engine/base/log_repeats.h"

#include <catch2/catch.hpp>

namespace callisto::log {

TEST_CASE("A line that comes again is told once a second, with how often it was held back") {
  Repeats repeats;
  const Repeats::Time start{};
  CHECK(repeats.admit("a", start) == 0U);
  for (int i = 0; i < 5; ++i) CHECK_FALSE(repeats.admit("a", start + std::chrono::milliseconds(i * 100)));
  CHECK(repeats.admit("b", start) == 0U);  // another is not held back
  CHECK(repeats.admit("a", start + Repeats::pause) == 5U);
  CHECK(repeats.admit("a", start + 2 * Repeats::pause) == 0U);
}

TEST_CASE("Many different lines are all told, and do not grow memory") {
  Repeats repeats;
  const Repeats::Time start{};
  for (int round = 0; round < 2; ++round)
    for (int i = 0; i < 100; ++i) CHECK(repeats.admit(std::to_string(i), start) == 0U);
}

}  // namespace callisto::log
