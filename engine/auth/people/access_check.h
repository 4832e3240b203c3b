// What the database knows of an access token: its session, with the rights and partitions of the person's roles. Reads
// only.
#pragma once

#include "engine/auth/sessions/session_cache.h"
#include "engine/storage/database.h"

namespace callisto::auth {

// 401 where the token is unknown or expired, the session ended, or its person may not hold it any more.
Result<LiveSession> read_session(storage::Connection& connection, const Digest& access_token, DateTime now);

}  // namespace callisto::auth
