// A predicate as a condition of a WHERE clause. Negation is pushed down to the atoms, so that AND and OR stay exact
// with null atoms, and indexes stay usable. One thread.
#pragma once

#include "engine/query/sql/tables.h"

namespace callisto::query::emit {

// Columns that are compared with one another are joined to `from`; a path with a constant becomes a subquery, which
// lets the planner choose where to start.
Condition condition(Tables& tables, From& from, const Predicate& predicate);

// Of the terms of an `&&`: those through one lookup become one condition.
std::vector<Condition> conditions(Tables& tables, From& from, const std::vector<const Predicate*>& terms);

// There is a record, among those that its lookup may lead to, that is as the term asks (looked_through() of it):
// without one no row satisfies it. It asks nothing of the searched row.
Condition somewhere(Tables& tables, const Predicate& term);

// The filter of a rule (see RowLimit) for a row of `table`; it compares no columns beyond a relation.
Condition condition(Tables& tables, const Plan& rule, const Sql& table);

}  // namespace callisto::query::emit
