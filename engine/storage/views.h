// Views that the program makes for people who read the database with other tools. The program itself reads none of
// them. A view or table of the same name that somebody else made is left alone.
#pragma once

#include "engine/storage/database.h"

#include <string>
#include <string_view>
#include <vector>

namespace callisto::storage {

inline constexpr std::string_view view_prefix = "report_";  // of all their names

struct ViewSpec {
  SqlIdentifier name;
  Sql select;
  std::string description;  // for PostgreSQL, which shows it to people
};

// Makes those that are missing or other ones, removes those that are not among `views`. What could not be made, and
// why, for the log: others' views may stand on one.
Result<std::vector<std::string>> bring_views(Database& database, const std::vector<ViewSpec>& views);

// Before tables are changed, in a transaction of its own or not: SQLite looks through all views when a table is
// renamed. PostgreSQL's views follow their tables.
Result<void> drop_views(Connection& connection);

}  // namespace callisto::storage
