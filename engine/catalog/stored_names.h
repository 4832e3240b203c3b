// How a database that is not migrated yet spells what definitions say: former names of tables and columns, and columns
// that it lacks. A plain value; any thread.
#pragma once

#include "engine/base/sql.h"

#include <map>
#include <string>

namespace callisto::catalog {

struct StoredNames {
  struct Table {
    SqlIdentifier name;                            // empty: it is not there
    std::map<std::string, SqlIdentifier> columns;  // by their names from now on; one that is not here is not stored yet
  };
  std::map<std::string, Table> tables;  // by their names from now on
};

}  // namespace callisto::catalog
