#include "engine/storage/dialect.h"

#include <utility>

namespace callisto::storage {

Sql key_clause(const TableSpec& table) {
  Sql sql(", PRIMARY KEY (");
  bool first = true;
  for (const SqlIdentifier& column : table.primary_key) {
    if (!std::exchange(first, false)) sql << ", ";
    sql << column;
  }
  return sql << ")";
}

}  // namespace callisto::storage
