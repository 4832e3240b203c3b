#include "engine/http/accepting.h"

#include "engine/base/log.h"
#include "engine/base/process_limits.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string>
#include <thread>

namespace callisto::http {

namespace {

constexpr std::chrono::milliseconds pause(20);

std::atomic<std::uint64_t> not_accepted = 0;

bool is_want(int reason) { return reason == EMFILE || reason == ENFILE || reason == ENOBUFS || reason == ENOMEM; }

void tell(int reason) noexcept {
  ++not_accepted;
  try {
    const std::string limit =
        reason == EMFILE ? " (ulimit -n is " + std::to_string(process_limits::most_descriptors()) + ")" : std::string();
    log::warning(std::string("A connection could not be accepted: ") + std::strerror(reason) + limit +
                 ". It waits until others end.");
  } catch (...) {}  // no memory for the words; the count says it
  std::this_thread::sleep_for(pause);
}

}  // namespace

void accepting_failed(int reason) noexcept {
  if (is_want(reason)) tell(reason);
  errno = reason;
}

std::uint64_t connections_not_accepted() { return not_accepted; }

}  // namespace callisto::http
