// What still refers to a record that is deleted: rows of entities that are made by somebody, by a lookup that they
// hold. Rows that the engine alone writes, histories, sessions, files and logs, tell of the past and hold nothing. The
// context's thread.
#pragma once

#include "engine/records/context.h"
#include "engine/records/record.h"

namespace callisto::records {

// 400 NotAllowed where something does. It tells how many records that the session may see, and names one; where it may
// see none of them, only that there are some. Lookups with an index are asked in full, of others the newest rows; of
// what is found a hundred are looked at.
Result<void> check_unreferenced(const Context& context, const Record& record);

}  // namespace callisto::records
