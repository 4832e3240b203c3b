#include "engine/http/connections/capacity.h"

#include "engine/base/log.h"
#include "engine/base/process_limits.h"
#include "engine/http/connections/worker_stack.h"

#include <algorithm>
#include <string>

namespace callisto::http {

namespace {

constexpr int most_queued = 4096;
// Threads that come later: CivetWeb's own, those of a reload, those that look up names of webhooks' receivers.
constexpr int other_threads = 24;
constexpr std::size_t other_descriptors = 64;

}  // namespace

Capacity capacity_of(int wanted_threads, std::size_t most_descriptors, std::size_t open_descriptors) {
  const std::size_t free = most_descriptors - std::min(most_descriptors, open_descriptors);
  const std::size_t kept = std::min(free / 2, 2 * open_descriptors + other_descriptors);
  const auto connections = static_cast<int>(std::min<std::size_t>(free - kept, 1'000'000));
  const int threads = std::min(wanted_threads, std::max(connections * 3 / 4, 1));
  return {threads, std::clamp(connections - threads, 1, most_queued)};
}

Result<Capacity> capacity_of_process(int wanted_threads) {
  const std::size_t most = process_limits::most_descriptors();
  Capacity found = capacity_of(wanted_threads, most, process_limits::open_descriptors());
  const int least = std::min(least_threads, wanted_threads);
  const std::string wanted = std::to_string(wanted_threads);
  if (found.threads < least)
    return bad_format("there are too few file descriptors to serve: `ulimit -n` (LimitNOFILE) is " +
                      std::to_string(most) + ", which leaves " + std::to_string(found.threads) +
                      " connections at once; at least " + std::to_string(least) + " are needed. Raise it.");
  if (found.threads < wanted_threads)
    log::warning("There can be " + std::to_string(found.threads) + " connections at once instead of " + wanted +
                 ": `ulimit -n` (LimitNOFILE) is " + std::to_string(most) + ".");
  const auto needed = static_cast<std::size_t>(found.threads + other_threads);
  const auto had = process_limits::threads_to_have(needed, least_stack_bytes);
  if (had == needed) return found;
  const int threads = static_cast<int>(had) - other_threads;
  const std::string limits = "The limits are: " + process_limits::of_threads() + ".";
  if (threads < least)
    return bad_format("there are too few threads to serve: " + std::to_string(had) +
                      " can be had beside those that run, " + wanted + " and " + std::to_string(other_threads) +
                      " others are wanted, at least " + std::to_string(least + other_threads) + " are needed. " +
                      limits);
  log::warning("There can be " + std::to_string(threads) + " connections at once instead of " + wanted +
               ", for want of threads. " + limits);
  found.threads = threads;
  return found;
}

}  // namespace callisto::http
