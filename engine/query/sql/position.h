// Where a page begins: after the previous page's last row, by the keys of the order, so that its cost does not grow
// with the rows before it. Pure; any thread.
#pragma once

#include "engine/query/sql/tables.h"

#include <vector>

namespace callisto::query::emit {

struct Position {
  std::vector<Condition> leading;  // by a property of the searched record that an index leads to
  std::vector<Condition> behind;   // what stands behind the session's limit
};

// Nothing where the page begins with the first row.
Position position_of(Tables& tables, From& from, Stretch stretch);

}  // namespace callisto::query::emit
