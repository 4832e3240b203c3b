// MovedClock: runs like the system's from a moment of its own, and can be moved on. Wall clock and steady clock move
// together, so that what waits for a time has waited. Any thread.
#pragma once

#include "engine/base/datetime.h"

#include <atomic>
#include <cstdint>

namespace callisto::app {

class MovedClock final : public Clock {
 public:
  explicit MovedClock(DateTime start) : start_(start), began_(running_.steady_ms()) {}
  DateTime now() const override { return {start_.ms + steady_ms() - began_}; }
  std::int64_t steady_ms() const override { return running_.steady_ms() + moved_; }
  void move(std::int64_t milliseconds) { moved_ += milliseconds; }

 private:
  const SystemClock running_;
  const DateTime start_;
  const std::int64_t began_;
  std::atomic<std::int64_t> moved_ = 0;
};

}  // namespace callisto::app
