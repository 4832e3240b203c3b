// How sign-in reacts to changes of its entities through the API. It ends a deleted session at once; all sessions of a
// person or client that is deleted or switched off; sessions that a person or client may no longer hold or open; all
// sessions of a client with a new secret; and the other sessions of a person with a new password. Changed clients,
// roles and persons count from the next request on. For records::Writer, one per transaction.
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
