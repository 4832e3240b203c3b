// The last hour of a server as figures, one for each 10 s: what the page "Health" draws. Kept in memory, 360 at most,
// gone with the process; who wants more asks /metrics. Any thread.
#pragma once

#include "engine/api/traffic.h"
#include "engine/base/datetime.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

namespace callisto::app {

// Of the time since the figure before.
struct HealthFigure {
  DateTime at;
  std::uint64_t requests = 0, failed = 0;  // failed: answered with 500 or more
  double mean = 0, slow = 0;               // milliseconds: of a request; at most that for 19 of 20
  std::size_t waiting = 0;                 // requests that wait for a slot, and writes for the writer
  std::int64_t queue = 0;                  // deliveries that wait, those that are retried too
  double due_lag = 0;                      // seconds that the oldest due record waits
  std::int64_t sessions = 0;
};

class HealthHistory {
 public:
  static constexpr std::size_t most = 360;
  // Fills in what is counted since the last add(); the rest is the caller's.
  void fill(HealthFigure& figure, const api::Traffic::Totals& totals) const;
  void add(const HealthFigure& figure, const api::Traffic::Totals& totals);  // filled in by `totals`
  std::vector<HealthFigure> all() const;                                     // the oldest first

 private:
  mutable std::mutex mutex_;
  api::Traffic::Totals last_;
  std::deque<HealthFigure> figures_;
};

}  // namespace callisto::app
