// Which session a browser's cookie opens, by the digest of its secret. A writing function belongs inside a
// storage::WriteFunction.
#pragma once

#include "engine/auth/sessions/session_store.h"
#include "engine/auth/token.h"

#include <cstdint>
#include <optional>

namespace callisto::auth {

Result<void> keep_browser_session(storage::Connection& connection, const Digest& digest, std::int64_t session);
// Nothing: none of that digest, or it does not live any more.
Result<std::optional<StoredSession>> find_browser_session(storage::Connection& connection, const Digest& digest,
                                                          DateTime now);

}  // namespace callisto::auth
