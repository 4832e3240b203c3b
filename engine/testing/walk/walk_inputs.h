// The inputs that a walk gives to an action: a value for everything that is mandatory, and beside that one thing at a
// time that the desk's code or filters name, since only that can matter. For a lookup: nothing, and rows that differ in
// their flags.
#pragma once

#include "engine/testing/test_server.h"

#include <vector>

namespace callisto::testing {

// Bodies for the action of such a record, the plainest first. `session` tells which rows lookups may lead to.
Result<std::vector<script::Data>> walk_inputs(TestServer& desk, std::size_t session, const catalog::Entity& entity,
                                              const catalog::Action& action);

}  // namespace callisto::testing
