// What scripts may know of the session: read for each request that asks an augmenter, so never stale.
#pragma once

#include "engine/records/search.h"

namespace callisto::records {

Result<script::SessionFacts> session_facts(const Context& context);

}  // namespace callisto::records
