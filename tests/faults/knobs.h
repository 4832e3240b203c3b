// How long the fault tests are, and where their randomness begins. Both come from the environment, which ./dev faults
// sets; a test prints its seed when it fails.
#pragma once

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace callisto::test {

// CALLISTO_FAULTS, 1 where it is not set: how many times the counts of the short run.
inline double fault_factor() {
  const char* const text = std::getenv("CALLISTO_FAULTS");
  return text ? std::strtod(text, nullptr) : 1.0;
}

inline int fault_count(int of_the_short_run) { return static_cast<int>(of_the_short_run * fault_factor()); }

// CALLISTO_SEED; another in each run where it is not set.
inline std::uint64_t fault_seed() {
  if (const char* const text = std::getenv("CALLISTO_SEED")) return std::strtoull(text, nullptr, 10);
  static const auto seed = static_cast<std::uint64_t>(std::chrono::system_clock::now().time_since_epoch().count());
  return seed % 1'000'000'000;
}

// Tells how far a long run has come, and its figures at the end; the short run says nothing.
template <typename... Values>
void say_progress(const char* format, Values... values) {
  if (!std::getenv("CALLISTO_FAULTS")) return;
  std::fprintf(stderr, format, values...);
  std::fputc('\n', stderr);
}

}  // namespace callisto::test
