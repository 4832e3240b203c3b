// The rights of a client's role. A client's sessions do not have them (API rule 6.6); they count where a program, and
// no person, provisions accounts. A connection belongs to one thread at a time.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <string>
#include <string_view>

namespace callisto::auth {

// Of an enabled client, by its client_id.
Result<bool> client_has_right(storage::Connection& connection, const std::string& client_id, std::string_view right);

}  // namespace callisto::auth
