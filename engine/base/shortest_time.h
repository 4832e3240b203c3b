// ShortestTime: of the last times that something took the shortest, which fades. Any of them may hold a wait for a
// processor; the shortest holds least of it. Any thread.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>

namespace callisto {

class ShortestTime {
 public:
  void note(std::chrono::microseconds took) {
    const auto us = std::max<std::int64_t>(1, took.count());
    const std::int64_t shortest = us_.load(std::memory_order_relaxed);
    us_.store(shortest == 0 || us < shortest ? us : shortest + shortest / 8 + 1, std::memory_order_relaxed);
  }
  // False before the first time.
  bool is_below(std::chrono::microseconds most) const {
    const std::int64_t us = us_.load(std::memory_order_relaxed);
    return us != 0 && us < most.count();
  }

 private:
  std::atomic<std::int64_t> us_ = 0;  // 0: none yet
};

}  // namespace callisto
