// The HTTP server of a desk that is put together: from its first request to the signal that ends it. The main thread.
#pragma once

#include "engine/api/traffic.h"
#include "engine/app/opening/prepare.h"
#include "engine/app/sandbox/sandboxes.h"
#include "engine/app/serving/desk_keeper.h"
#include "engine/app/serving/first_start.h"
#include "engine/app/serving/front.h"
#include "engine/app/serving/nodes.h"
#include "engine/app/serving/reload.h"
#include "engine/base/bounded_writer.h"
#include "engine/http/server.h"

#include <signal.h>

namespace callisto::app {

struct Serving {  // all of it outlives the run
  const http::Handler& handler;
  api::Traffic& traffic;
  audit::Sink& audit_log;
  const FirstStart& first_start;
  Reload& reload;
  DeskKeeper& keeper;
  Sandboxes& sandboxes;
  const Front& front;
  Nodes* nodes = nullptr;  // null: there are no others
  bool samples = false;
};

// Blocks until SIGTERM or SIGINT, of `signals`, which are blocked; SIGHUP reloads. The exit status of the program.
int serve_until_signal(const Settings& settings, const Prepared& prepared, const Serving& serving,
                       const sigset_t& signals);

// What people read there never holds up whoever writes it. As long as the process; begun and flushed by the caller.
BoundedWriter& standard_output();

}  // namespace callisto::app
