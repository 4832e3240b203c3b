// What a service manager (systemd, or one that knows its protocol) is told of this server: sd_notify(3), which is a
// datagram to the socket that NOTIFY_SOCKET names. Without one, nothing is told. One thread, but for the watchdog's
// own.
#pragma once

#include "engine/app/serving/own_door.h"
#include "engine/base/ticker.h"

#include <chrono>
#include <memory>
#include <optional>
#include <string>

namespace callisto::app {

class ServiceManager {
 public:
  // `door`: at which the server answers.
  explicit ServiceManager(OwnDoor door);
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;

  // It serves now: told once it listens, and after each reload. `status`: for people.
  void ready(const std::string& status);
  void reloading();
  void stopping();  // and from now on the watchdog is not fed

 private:
  void feed();
  void tell(const std::string& state) const;

  const OwnDoor door_;
  const std::string socket_;  // empty: nobody listens
  std::chrono::milliseconds pause_{0};
  std::unique_ptr<Ticker> watchdog_;  // null: none is wanted
};

// How often the watchdog wants to hear of this process at least (WATCHDOG_USEC, WATCHDOG_PID); nothing: not at all.
std::optional<std::chrono::microseconds> watchdog_interval();

}  // namespace callisto::app
