// What scripts may know about the session. Its person and its lists are read when a script asks for them, once per
// request, and only if the database has changed since the last reading.
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
