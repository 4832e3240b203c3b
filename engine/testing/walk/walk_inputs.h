// What a walk gives to an action: a value for all that is mandatory, and beside that one thing at a time which the code
// or the filters of the desk name, so that it may matter. Of a lookup: nothing, and rows that differ in their flags.
#pragma once

#include "engine/testing/test_server.h"

#include <vector>

namespace callisto::testing {

// Bodies for the action of such a record, the plainest first. `session` tells which rows lookups may lead to.
Result<std::vector<script::Data>> walk_inputs(TestServer& desk, std::size_t session, const catalog::Entity& entity,
                                              const catalog::Action& action);

}  // namespace callisto::testing
