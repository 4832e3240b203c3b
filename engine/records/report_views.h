// What people who read the database with other tools want to see of each entity: the view report_ENTITY, with dates
// instead of milliseconds, the names of what lookups lead to, and without what is deleted, internal or secret. Pure;
// any thread.
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/query/emit_sql.h"
#include "engine/storage/views.h"

#include <vector>

namespace callisto::records {

std::vector<storage::ViewSpec> report_views(const catalog::Catalog& catalog, query::Dialect dialect);

}  // namespace callisto::records
