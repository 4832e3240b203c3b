// What a database holds beyond the definitions: former names, and values and rows that no definition shows any more.
// Only reads; the connection's thread.
#pragma once

#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/stored_names.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <cstdint>
#include <string>
#include <vector>

namespace callisto::records {

Result<catalog::StoredNames> stored_names(storage::Connection& connection,
                                          const std::vector<storage::TableSpec>& tables);

struct Unseen {
  enum class Kind { Column, RowsOfType, Table };
  Kind kind = Kind::Column;
  std::string entity;      // whose table it is; of a Table: what the entity was called
  std::string name;        // of a Column; RowsOfType: as it is stored
  std::int64_t count = 0;  // never 0
};
// Sorted by table. What the definitions rename is not among it.
Result<std::vector<Unseen>> unseen(storage::Connection& connection, const catalog::Catalog& catalog,
                                   const std::vector<storage::TableSpec>& tables);

}  // namespace callisto::records
