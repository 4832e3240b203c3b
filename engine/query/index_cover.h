// Indexes that hold all that is asked of the rows, so that none is read to count or group them. Of the type they hold
// no more than its number (base/short_number.h). Pure; any thread.
#pragma once

#include "engine/query/index_seek.h"

namespace callisto::query {

// Of a plan with groups: an index in which the seek leads holds all that is asked, so that no row is read for them.
bool is_in_index(const Plan& plan, const Seek& seek);

// An index of all rows holds all that the filter asks of them.
bool has_all_asked(const Plan& plan);

// An index begins with what the groups are of, and holds all that is asked of their rows.
bool has_groups_in_order(const Plan& plan);

// The type whose own index does; null: none has one.
const catalog::Entity* type_of_groups(const Plan& plan);

// The same of an index in which the seek leads.
bool gives_groups(const Plan& plan, const Seek& seek);

// What leads in an index that holds all that the filter asks of the rows, so that it counts them without reading one.
// Empty: no index does.
Seek lead_of_cover(const Plan& plan);

}  // namespace callisto::query
