// Which statements PostgreSQL may plan once for all values (decision 0045). It would plan several walks, or the rows of
// a session, anew for each request, which takes longer than to read them. Pure; any thread.
#pragma once

#include "engine/query/sql/tables.h"

namespace callisto::query::emit {

// An index leads to each row that is looked at, whatever the values are: to the walks of a page, or to what a session
// sees by a rule.
bool page_has_one_plan(const Tables& tables);
bool count_has_one_plan(const Tables& tables);

}  // namespace callisto::query::emit
