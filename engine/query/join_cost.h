// What joins may cost. A join by the joined entity's key meets at most one row for each row so far; a join by the key
// of an earlier entity, such as a record's history, meets each joined row once. All others, and a second one of the
// latter kind, may combine each row with every other.
#pragma once

#include "engine/query/plan.h"

#include <string>

namespace callisto::query {

// The first join of a plan whose rows have no such bound; null: none. Part of the plan.
const Join* join_without_bound(const Plan& plan);

// What a client reads who asked for one that met too many rows: which it is, and how to bound it.
std::string advice_on(const Join& join);

}  // namespace callisto::query
