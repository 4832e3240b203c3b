// Random bytes that are the same in every run of a test. Never for anything but tests. Any thread.
#pragma once

#include "engine/base/random.h"

#include <cstdint>
#include <mutex>
#include <random>
#include <string>

namespace callisto::testing {

class SeededRandom final : public Random {
 public:
  explicit SeededRandom(std::uint64_t seed = 1) : engine_(seed) {}

  std::string bytes(std::size_t count) override {
    std::lock_guard lock(mutex_);
    std::string bytes(count, '\0');
    for (char& byte : bytes) byte = static_cast<char>(engine_() & 255U);
    return bytes;
  }

 private:
  std::mutex mutex_;
  std::mt19937_64 engine_;
};

}  // namespace callisto::testing
