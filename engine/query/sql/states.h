// The states between what a filter asks and what it is asked for (index_states.h), in SQL. Pure; any thread.
#pragma once

#include "engine/query/index_states.h"
#include "engine/query/sql/tables.h"

namespace callisto::query::emit {

// A table `v` of one column `x`: the states that rows with these values have, and null; a step of the index for each.
Sql states_there_are(Tables& tables, const StatesBetween& states);

}  // namespace callisto::query::emit
