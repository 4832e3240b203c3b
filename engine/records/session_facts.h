// What scripts may know of the session. Its person and its lists are read where a script asks for them, once for each
// request, and only where the database has changed since they were read last.
#pragma once

#include "engine/records/context.h"

namespace callisto::records {

class ExtensionCache;

// Alive as long as the context, with which it reads.
const script::SessionFacts& session_facts(const Context& context);

// What extensions have answered to those who know the same; null where that cannot be kept. Alive as long as the
// context.
ExtensionCache* kept_answers(const Context& context);

}  // namespace callisto::records
