// Who is told of every change of records: what signing in must know, and the audit log. Any thread.
#pragma once

#include "engine/audit/log.h"
#include "engine/auth/service.h"
#include "engine/records/write.h"

namespace callisto::app {

// References must outlive it.
records::SinkFactory make_listeners(auth::Service& auth, audit::Log& log);

}  // namespace callisto::app
