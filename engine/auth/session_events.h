// What sign-in makes of changes that people make to its entities through the API: a deleted session ends there and
// then, and so do all of a person or client that is deleted or switched off, those that it may not hold or open any
// more, all of a client with a new secret, and the others of a person with a new password; changed clients, roles and
// persons count from the next request on. For records::Writer, one for each transaction.
#pragma once

#include "engine/auth/service.h"
#include "engine/events/sink.h"
#include "engine/storage/database.h"

#include <memory>

namespace callisto::auth {

struct SessionChange {
  storage::Connection& connection;
  const catalog::Entity* entity;  // of sessions
  std::int64_t session;           // that makes the change
  events::Sink& listeners;        // are told of the sessions that end with the change of something else
};

// `service` outlives it, what `change` refers to all calls of emit().
std::unique_ptr<events::Sink> session_events(Service& service, const SessionChange& change);

}  // namespace callisto::auth
