// What scripts may know of the session: of the moment at which its request began, and read only where the database has
// changed since it was read last.
#pragma once

#include "engine/records/search.h"

namespace callisto::records {

// Alive as long as the context.
Result<const script::SessionFacts*> session_facts(const Context& context);

}  // namespace callisto::records
