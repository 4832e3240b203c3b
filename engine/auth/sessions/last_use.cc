#include "engine/auth/sessions/last_use.h"

#include <algorithm>
#include <cstdlib>

namespace callisto::auth {

namespace {

constexpr std::int64_t pause_ms = 60'000;

}  // namespace

void LastUse::note(std::int64_t session, DateTime now) {
  std::lock_guard lock(mutex_);
  times_[session].used = now;
}

std::vector<std::pair<std::int64_t, DateTime>> LastUse::take_due(DateTime now) {
  std::lock_guard lock(mutex_);
  std::vector<std::pair<std::int64_t, DateTime>> due;
  for (auto entry = times_.begin(); entry != times_.end();) {
    Times& times = entry->second;
    const bool waits = std::abs(now.ms - times.written.ms) < pause_ms;  // the clock may have been set back
    const bool is_new = times.written < times.used || (!waits && now < times.written);
    if (is_new && !waits) {
      due.emplace_back(entry->first, std::min(times.used, now));
      times.written = now;
    }
    entry = is_new || waits ? std::next(entry) : times_.erase(entry);
  }
  return due;
}

}  // namespace callisto::auth
