// Finds rows whose lookups still refer to a record that is to be deleted. Rows that only the engine writes (histories,
// sessions, files and logs) tell of the past and do not count. The context's thread.
#pragma once

#include "engine/records/context.h"
#include "engine/records/record.h"

namespace callisto::records {

// 400 NotAllowed where something does. It tells how many records that the session may see, and names one; where it may
// see none of them, only that there are some. Lookups with an index are asked in full, of others the newest rows; of
// what is found a hundred are looked at.
Result<void> check_unreferenced(const Context& context, const Record& record);

}  // namespace callisto::records
