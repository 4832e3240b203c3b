#include "engine/base/ticker.h"

#include <catch2/catch.hpp>

#include <atomic>

using namespace callisto;

TEST_CASE("a ticker calls again and again, and stops at once") {
  std::atomic<int> calls = 0;
  {
    Ticker ticker(std::chrono::milliseconds(1), [&] {
      ++calls;
      calls.notify_all();
    });
    for (int seen = 0; seen < 3; seen = calls) calls.wait(seen);
  }
  const int after = calls;
  CHECK(after >= 3);
  Ticker sleeper(std::chrono::hours(1), [&] { ++calls; });
  CHECK(calls == after);
}
