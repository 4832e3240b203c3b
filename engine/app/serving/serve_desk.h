// Puts together what serves a desk, and serves it.
#pragma once

#include "engine/app/commands.h"
#include "engine/app/opening/prepare.h"
#include "engine/app/serving/generation.h"
#include "engine/app/serving/script_monitor.h"

#include <signal.h>

#include <memory>

namespace callisto::app {

// Blocks until a signal ends it. The exit status of the program, or why there is nothing to serve. The main thread.
Result<int> serve_desk(const Runtime& runtime, const ScriptMonitor& scripts,
                       std::shared_ptr<const records::Model> model, const Prepared& prepared, const sigset_t& signals,
                       const ServeOptions& serve_options);

}  // namespace callisto::app
