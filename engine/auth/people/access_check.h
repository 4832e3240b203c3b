// What the database knows of an access token: its session, with the rights and partitions of the person's roles; and
// what it would know of another person's. Reads only.
#pragma once

#include "engine/auth/sessions/session_cache.h"
#include "engine/storage/database.h"

namespace callisto::auth {

// 401 where the token is unknown or expired, the session ended, or its person may not hold it any more.
Result<LiveSession> read_session(storage::Connection& connection, const Digest& access_token, DateTime now);

// A session as Service::view_as() has it, without its number.
Result<std::optional<Session>> read_view(storage::Connection& connection, const Session& viewer,
                                         const std::string& login_name, std::optional<SessionType> type);

}  // namespace callisto::auth
