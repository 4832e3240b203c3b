// A wall clock that stands still until it is set. Time limits keep running. One thread.
#pragma once

#include "engine/base/datetime.h"

namespace callisto::testing {

class SteeredClock final : public Clock {
 public:
  explicit SteeredClock(DateTime start) : start_(start), now_(start) {}
  DateTime now() const override { return now_; }
  std::int64_t steady_ms() const override { return running_.steady_ms(); }
  void set(DateTime now) { now_ = now; }
  void reset() { now_ = start_; }

 private:
  const DateTime start_;
  DateTime now_;
  SystemClock running_;
};

}  // namespace callisto::testing
