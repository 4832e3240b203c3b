#include "engine/app/serving/service_manager.h"

#include "engine/app/health.h"
#include "engine/base/log.h"

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace callisto::app {

namespace {

constexpr std::chrono::milliseconds longest_patience{2000};

std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : std::string_view();
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value <= 0) return std::nullopt;
  return value;
}

std::int64_t monotonic_microseconds() {
  const auto since = std::chrono::steady_clock::now().time_since_epoch();  // CLOCK_MONOTONIC
  return std::chrono::duration_cast<std::chrono::microseconds>(since).count();
}

}  // namespace

std::optional<std::chrono::microseconds> watchdog_interval() {
  const std::string_view process = variable("WATCHDOG_PID");
  if (!process.empty() && number(process) != getpid()) return std::nullopt;
  const auto interval = number(variable("WATCHDOG_USEC"));
  return interval ? std::optional(std::chrono::microseconds(*interval)) : std::nullopt;
}

ServiceManager::ServiceManager(OwnDoor door) : door_(std::move(door)), socket_(variable("NOTIFY_SOCKET")) {
  const auto interval = watchdog_interval();
  if (socket_.empty() || !interval) return;
  pause_ = std::max(std::chrono::duration_cast<std::chrono::milliseconds>(*interval) / 3, std::chrono::milliseconds(1));
  watchdog_ = std::make_unique<Ticker>(pause_, [this] { feed(); });
}

// Who does not answer is not told of, and started anew: a process that only lives is of no use to anybody.
void ServiceManager::feed() {
  const HealthAnswer answer = ask_health(door_, "/healthz", std::min(pause_, longest_patience));
  if (answer.is_well()) tell("WATCHDOG=1");
  else log::warning("the watchdog is not fed, since " + door_.url + "/healthz does not answer: " + answer.text);
}

void ServiceManager::ready(const std::string& status) { tell("READY=1\nSTATUS=" + status); }

// Type=notify-reload wants the time; Type=notify shows the state.
void ServiceManager::reloading() {
  tell("RELOADING=1\nMONOTONIC_USEC=" + std::to_string(monotonic_microseconds()) +
       "\nSTATUS=reading entities and scripts anew");
}

void ServiceManager::stopping() {
  watchdog_.reset();
  tell("STOPPING=1\nSTATUS=finishing the requests that run");
}

// A name that begins with '@' is of the abstract namespace (unix(7)).
void ServiceManager::tell(const std::string& state) const {
  sockaddr_un address{};
  if (socket_.empty() || socket_.size() >= sizeof address.sun_path) return;
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path, socket_.data(), socket_.size());
  if (socket_.front() == '@') address.sun_path[0] = '\0';
  const int descriptor = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto length = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket_.size());
  const auto* to = reinterpret_cast<const sockaddr*>(&address);
  if (descriptor < 0 || sendto(descriptor, state.data(), state.size(), MSG_NOSIGNAL, to, length) < 0)
    log::warning("the service manager at " + socket_ + " was not told " + state.substr(0, state.find('\n')) + ": " +
                 std::strerror(errno));
  if (descriptor >= 0) close(descriptor);
}

}  // namespace callisto::app
