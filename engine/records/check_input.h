// Given: checks what a body gives before it is written: its values, and the records that its lookups lead to.
#pragma once

#include "engine/records/body.h"
#include "engine/records/change.h"
#include "engine/records/context.h"

namespace callisto::records {

// All of it told at once: what is wrong with the values, and lookups to records that are missing or that this session
// may not see (API rule 4.3). A partition that the session cannot access is a 403 before that (2.10, 4.5). `read`:
// by read_body() for the same action and record. The context's thread.
Result<void> check_input(const Context& context, Change& change, const catalog::Action& action, const Record& record,
                         ReadBody& read);

}  // namespace callisto::records
