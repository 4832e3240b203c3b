// What joins may cost. A join by the key of what it joins meets at most one row for each that it has; one by the key of
// what it has, such as history of a record, meets each row that it joins once. All others, and a second one of the
// latter kind, may meet each row with each other.
#pragma once

#include "engine/query/plan.h"

#include <string>

namespace callisto::query {

// The first join of a plan whose rows have no such bound; null: none. Part of the plan.
const Join* join_without_bound(const Plan& plan);

// What a client reads who asked for one that met too many rows: which it is, and how to bound it.
std::string advice_on(const Join& join);

}  // namespace callisto::query
