// LastUse: when each session was last used, kept in memory and written once a minute (API rule 6.9). Any thread. When
// the program ends, up to a minute of it is lost.
#pragma once

#include "engine/base/datetime.h"

#include <cstdint>
#include <mutex>
#include <unordered_map>
#include <utility>
#include <vector>

namespace callisto::auth {

class LastUse {
 public:
  void note(std::int64_t session, DateTime now);
  // Sessions and times to be written now. What was written a minute ago and not used since is forgotten.
  std::vector<std::pair<std::int64_t, DateTime>> take_due(DateTime now);

 private:
  struct Times {
    DateTime used, written;
  };
  std::mutex mutex_;
  std::unordered_map<std::int64_t, Times> times_;
};

}  // namespace callisto::auth
