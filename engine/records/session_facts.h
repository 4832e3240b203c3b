// What scripts may know of the session: read for each request that asks an augmenter, so never stale.
#pragma once

#include "engine/records/search.h"

namespace callisto::records {

// Alive as long as the context.
Result<const script::SessionFacts*> session_facts(const Context& context);

}  // namespace callisto::records
