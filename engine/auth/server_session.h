// The session of what the server does by itself, which needs nobody's rights. Pure; any thread.
#pragma once

#include "engine/auth/session.h"

namespace callisto::auth {

inline Session server_session() {
  Session session;
  session.type = SessionType::Analyst;
  session.rights = {"Administration", "Integration"};
  return session;
}

}  // namespace callisto::auth
