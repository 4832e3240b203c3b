// What sign-in makes of changes that people make to its entities through the API: a deleted session ends there and
// then, changed clients, roles and persons count from the next request on. For records::Writer, one for each
// transaction.
#pragma once

#include "engine/auth/service.h"
#include "engine/events/sink.h"
#include "engine/storage/database.h"

#include <memory>

namespace callisto::auth {

// `service` outlives it, `connection` all calls of emit().
std::unique_ptr<events::Sink> session_events(Service& service, storage::Connection& connection);

}  // namespace callisto::auth
