// ScriptMonitor: counts what scripts cost, and keeps their newest thousand failures as rows of the entity
// script-failure. It writes rows on a thread of its own, after the request that failed: no request waits for it, and a
// script that fails on every row of every request leaves only a few rows a minute. Any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/metrics.h"
#include "engine/base/random.h"
#include "engine/catalog/relied_on.h"
#include "engine/script/script_observer.h"
#include "engine/storage/database.h"

#include <array>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace callisto::app {

class ScriptMonitor final : public script::ScriptObserver {
 public:
  // `keeps_failures`: the desk has the entity. References outlive it.
  ScriptMonitor(storage::Database& database, const Clock& clock, Random& random, bool keeps_failures);
  static const std::vector<catalog::ReliedOn>& relied_on();  // where the desk has the entity
  ~ScriptMonitor() override;                                 // writes what waits
  ScriptMonitor(const ScriptMonitor&) = delete;
  ScriptMonitor& operator=(const ScriptMonitor&) = delete;

  void ran(const std::string& file, const std::string& option, std::chrono::microseconds time) override;
  void failed(const script::ScriptFailure& failure) override;
  void append(MetricsText& text) const;

 private:
  struct Dated {
    script::ScriptFailure failure;
    DateTime date;
  };
  struct Runs {
    std::uint64_t count = 0, microseconds = 0;
  };

  using RunsByPlace = std::map<std::string, std::map<std::string, Runs, std::less<>>, std::less<>>;  // file, function
  struct Shard {
    std::mutex mutex;
    RunsByPlace runs;
  };

  RunsByPlace all_runs() const;
  bool admits(const std::string& place);
  void run();
  void keep(const std::deque<Dated>& failures);

  storage::Database& database_;
  const Clock& clock_;
  Random& random_;
  const bool keeps_failures_;

  mutable std::array<Shard, 16> shards_;  // each for some of the threads, so that calls of scripts do not meet

  mutable std::mutex mutex_;
  std::condition_variable wake_;
  std::map<std::string, std::uint64_t> failures_;  // by file
  std::deque<Dated> waiting_;
  std::map<std::string, int> admitted_;  // in this minute, by place
  std::int64_t minute_ = 0;
  int admitted_in_all_ = 0;
  std::uint64_t left_out_ = 0;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses everything above
};

}  // namespace callisto::app
