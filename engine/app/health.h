// `callisto health`, and what the service manager's watchdog rests on: asks a server of this machine how it is.
#pragma once

#include "engine/app/serving/own_door.h"

#include <chrono>
#include <string>

namespace callisto::app {

struct HealthOptions {
  bool alive = false;  // whether it answers at all, instead of whether it can serve
  int seconds = 5;     // to wait for the answer
};

struct HealthAnswer {
  int status = 0;    // of HTTP; 0: there was none
  std::string text;  // the answer's body, or why there was none
  bool is_well() const { return status == 200; }
};

// By the shortest way, past every proxy; a certificate is taken as it is, since its name is another one. Any thread.
HealthAnswer ask_health(const OwnDoor& door, const std::string& path, std::chrono::milliseconds patience);

}  // namespace callisto::app
