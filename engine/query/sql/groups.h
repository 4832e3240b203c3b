// The clauses of a statement that returns groups (Plan::grouping). Each joins what its paths need.
#pragma once

#include "engine/query/sql/tables.h"

namespace callisto::query::emit {

// Plan::columns, the number of rows, the aggregates.
Sql group_columns(Tables& tables, From& from);
Sql group_by(Tables& tables, From& from);         // empty where all rows are one group
Sql order_of_groups(Tables& tables, From& from);  // the same

}  // namespace callisto::query::emit
