// Definitions for editors (LuaLS): the words that scripts, entities and specs may use, made from the schema that checks
// them. The same text each time. Any thread.
#pragma once

#include "engine/base/result.h"

#include <string>

namespace callisto::script {

// ---@meta, the sandbox, specs, and the nouns; without what a catalog adds.
Result<std::string> word_stubs();

}  // namespace callisto::script
