// What a piece of work costs: microseconds of CPU of this thread, the median of many batches.
#pragma once

#include <time.h>

#include <algorithm>
#include <vector>

namespace callisto::bench {

inline constexpr int batches = 201;

inline double cpu_us() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e6 + static_cast<double>(now.tv_nsec) / 1e3;
}

// Reading the clock is a system call, so a batch is timed at once.
template <typename Work>
double median_us(int batch, Work work) {
  std::vector<double> times;
  for (int i = 0; i < batches; ++i) {
    const double start = cpu_us();
    for (int each = 0; each < batch; ++each) work();
    times.push_back((cpu_us() - start) / batch);
  }
  std::nth_element(times.begin(), times.begin() + batches / 2, times.end());
  return times[batches / 2];
}

}  // namespace callisto::bench
