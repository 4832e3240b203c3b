// Licences (API rule 6.7): one row counts the live sessions. Conditional updates take and return a licence in the
// transaction that opens or ends a session, so in_use is always the number of live sessions, whatever dies when, and
// only administrators take it above the capacity. Inside a storage::WriteFunction.
#pragma once

#include "engine/storage/database.h"

namespace callisto::auth {

// False where all are taken.
Result<bool> take_licence(storage::Connection& connection);
// One more than there are, for whoever must come in to set others free.
Result<void> take_licence_beyond(storage::Connection& connection);
// Only by whoever ended a session that lived.
Result<void> give_licence_back(storage::Connection& connection);
Result<void> give_licences_back(storage::Connection& connection, std::int64_t count);

// At start-up: how many there are (0: unlimited).
Result<void> set_licences(storage::Connection& connection, int capacity);
// Counts the live sessions again, in case another program has changed them. True where the count was wrong.
Result<bool> recount_licences(storage::Connection& connection);

}  // namespace callisto::auth
