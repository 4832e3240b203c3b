// Front: what every request passes before anything serves it. Proxies are heard, the path of base_url is taken off. Any thread.
#pragma once

#include "engine/app/prepare.h"
#include "engine/app/settings.h"

namespace callisto::app {

class Front {
 public:
  Front(const Settings& settings, const Prepared& prepared);  // both outlive it

  void hear(http::Request& request) const;

 private:
  const Settings& settings_;
  const Prepared& prepared_;
};

}  // namespace callisto::app
