// Repeats: lets a fault that every request meets write one line a second instead of thousands. Any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::log {

class Repeats {
 public:
  using Time = std::chrono::steady_clock::time_point;
  static constexpr std::chrono::seconds pause{1};

  // Nothing for a line that was let through within the last second; else how many were held back since then.
  std::optional<std::uint64_t> admit(std::string_view line, Time now);

 private:
  struct Seen {
    std::string line;
    Time told;
    std::uint64_t held_back = 0;
  };
  static constexpr std::size_t most_seen = 32;

  std::mutex mutex_;
  std::list<Seen> seen_;  // most recently told first
};

}  // namespace callisto::log
