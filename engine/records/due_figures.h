// DueFigures: metrics of actions with `due`: how often they were done, how many records wait for them, and since when.
// One per desk, over all reloads. Any thread.
#pragma once

#include "engine/base/datetime.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace callisto::records {

// The entity where the action stands, and the action.
using DueName = std::pair<std::string, std::string>;

enum class DueOutcome { Done, Undone, Failed };

class DueFigures {
 public:
  struct Figure {
    std::uint64_t done = 0, undone = 0, failed = 0;
    std::size_t waiting = 0, left_alone = 0;  // records that are due; those of them that a failure holds back
    std::optional<DateTime> oldest;           // since when the first of them is known to be due
  };

  // The actions that there are from now on: others are forgotten.
  void serve(const std::set<DueName>& names);
  // Whatever is due at this moment, with the moment since when that is known at the latest.
  void saw(const DueName& name, std::map<std::int64_t, DateTime> due, std::size_t left_alone);
  void count(const DueName& name, DueOutcome outcome);
  void settled(const DueName& name, std::int64_t record);  // it is not due any more
  // Done to one record so often that actions may be making each other due; what is meant to come again is rarer.
  static constexpr int most_in_an_hour = 60;
  void done(const DueName& name, std::int64_t record, DateTime now);
  bool is_too_often(const DueName& name, std::int64_t record, DateTime now) const;
  std::map<DueName, Figure> all() const;

 private:
  struct Entry {
    Figure figure;
    std::map<std::int64_t, DateTime> since;  // by record
    struct Hour {
      DateTime begin;
      int times = 0;
    };
    std::map<std::int64_t, Hour> hours;  // by record
  };
  mutable std::mutex mutex_;
  std::map<DueName, Entry> entries_;
};

}  // namespace callisto::records
