// Which terms of a filter lead to rows by an index, whatever the order of the page. Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <vector>

namespace callisto::query {

// Terms that lead by one index.
using Seek = std::vector<const Predicate*>;

// The ways to rows that would then be sorted, where an index gives the plan's order as well, or there are several of
// them: which is fast depends on how many rows each finds. Those through lookups come last. Empty: there is no choice.
std::vector<Seek> seeks_beside_order(const Plan& plan);

bool is_through_lookup(const Seek& seek);
bool has_null(const Seek& seek);

// What leads to the rows of the walk in order: the values of the parts in front of the order. Empty: all are walked.
Seek lead_of_order(const Plan& plan);

// One of its terms asks for the property.
bool asks_for(const Plan& plan, const Seek& seek, const catalog::Property& property);

// The type whose index (catalog/type_index.h) begins with all that the terms ask for; null: none does.
const catalog::Entity* type_led_by(const Plan& plan, const Seek& seek);

// The ways to rows without the plan's words. Those terms in front of the order in the index that gives it are one.
std::vector<Seek> seeks(const Plan& plan);

// The ways to rows, each by as many terms as lead in one index.
std::vector<Seek> ways_to_rows(const Plan& plan);

// What leads on in the index that begins with the property, behind one value of it.
Seek led_behind(const Plan& plan, const catalog::Property& property);

// An index has the property behind others, all of which the filter asks to have values.
bool is_behind_values(const Plan& plan, const catalog::Property& property);

// An index begins with the property, which finds its values.
bool has_own_index(const catalog::Property& property);
// An index leads to rows by some term of the filter, so that none of what most rows meet is needed.
bool has_seek(const Plan& plan);

}  // namespace callisto::query
