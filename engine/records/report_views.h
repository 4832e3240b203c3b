// What people who read the database with other tools want to see of each entity: the view report_ENTITY, with dates
// instead of milliseconds, the names of what lookups lead to, and without what is deleted, internal or secret. A view
// or table of the same name that somebody else made is left alone. Any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/query/emit_sql.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <string>
#include <vector>

namespace callisto::records {

std::vector<storage::ViewSpec> report_views(const catalog::Catalog& catalog, query::Dialect dialect);  // pure
query::Dialect dialect_of(const storage::Connection& connection);  // of the database that it leads to

// Makes those that are missing or other ones, removes those that are not among `views`. What could not be made, and
// why, for the log: others' views may stand on one.
Result<std::vector<std::string>> bring_views(storage::Database& database, const std::vector<storage::ViewSpec>& views);

}  // namespace callisto::records
