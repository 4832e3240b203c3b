// The session whose rights limit a webhook: one that its owner could open at this moment.
#pragma once

#include "engine/auth/session.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <optional>
#include <string>

namespace callisto::app {

struct OwnerSession {
  std::optional<auth::Session> session;
  std::string problem;  // for people; where there is no session
};

// Of an active analyst with the right Integration; nobody else may own a webhook. Reads only; the connection's thread.
Result<OwnerSession> owner_session(storage::Connection& connection, std::optional<std::int64_t> owner);

}  // namespace callisto::app
