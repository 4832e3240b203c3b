// Licences (API rule 6.7): one row counts the sessions that live. Taken and given back by conditional updates in
// the transaction that opens or ends a session, so that in_use is always the number of live sessions and never above
// the capacity but for administrators, whatever dies when. Inside a storage::WriteFunction.
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
