// A clock that stands still until a test moves it. Any thread.
#pragma once

#include "engine/base/datetime.h"

#include <atomic>
#include <cstdint>

namespace callisto::testing {

class FixedClock final : public Clock {
 public:
  explicit FixedClock(DateTime start = {1'773'558'000'000}) : now_ms_(start.ms) {}  // 2026-03-15T07:00:00Z

  DateTime now() const override { return DateTime{now_ms_.load()}; }
  std::int64_t steady_ms() const override { return steady_ms_.load(); }

  void advance_ms(std::int64_t ms) {
    now_ms_ += ms;
    steady_ms_ += ms;
  }
  void set_ahead_seconds(std::int64_t seconds) { now_ms_ += seconds * 1000; }  // no time goes by
  void advance_seconds(std::int64_t seconds) { advance_ms(seconds * 1000); }

 private:
  std::atomic<std::int64_t> now_ms_;
  std::atomic<std::int64_t> steady_ms_{1};
};

}  // namespace callisto::testing
