// A stored flag as SQL, for what is no query. Pure; any thread.
#pragma once

#include "engine/query/emit_sql.h"

namespace callisto::query {

// A condition: the flag is true (API rule 3.5); null where the column is null.
Sql stored_flag(Dialect dialect, const catalog::Property& property, const Sql& column);

}  // namespace callisto::query
