// Throttle: how many refusals of one source, and of all sources, get a line in a minute, so that nobody fills the disk
// by being refused. Acts of administrators and successful sign-ins are always kept. Bounded; one thread at a time.
#pragma once

#include "engine/audit/event.h"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace callisto::audit {

class Throttle {
 public:
  bool admits(const Event& event, std::int64_t steady_ms);
  std::int64_t left_out() const { return left_out_; }  // how many were not admitted and are not forgotten
  void forget_left_out() { left_out_ = 0; }

 private:
  std::unordered_map<std::string, int> counts_;  // of this minute, by kind and by source
  std::int64_t minute_ = 0;
  std::int64_t left_out_ = 0;
};

}  // namespace callisto::audit
