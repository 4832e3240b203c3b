// Rows of partitioned entities that are in no partition, which another program may have written directly: only sessions
// that see all partitions find them.
#pragma once

#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <vector>

namespace callisto::records {

struct WithoutPartition {
  const catalog::Entity* entity;  // the final type
  std::int64_t rows;
  std::int64_t first;  // key of one
};

// Deleted rows are left out. Served by an index; the connection's thread.
Result<std::vector<WithoutPartition>> rows_without_partition(storage::Connection& connection,
                                                             const catalog::Catalog& catalog);

}  // namespace callisto::records
