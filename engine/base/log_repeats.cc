#include "engine/base/log_repeats.h"

#include <algorithm>
#include <utility>

namespace callisto::log {

std::optional<std::uint64_t> Repeats::admit(std::string_view line, Time now) {
  const std::lock_guard lock(mutex_);
  const auto found = std::find_if(seen_.begin(), seen_.end(), [&](const Seen& each) { return each.line == line; });
  if (found == seen_.end()) {
    if (seen_.size() >= most_seen) seen_.pop_back();
    seen_.push_front({std::string(line), now, 0});
    return 0;
  }
  if (now - found->told < pause) {
    ++found->held_back;
    return std::nullopt;
  }
  seen_.splice(seen_.begin(), seen_, found);
  found->told = now;
  return std::exchange(found->held_back, 0);
}

}  // namespace callisto::log
