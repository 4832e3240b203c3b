// New rows of entity tables, complete with what every entity has (entities/common.lua), so that the API reads and
// changes them like any other. Inside a WriteFunction. A NewRows is constant; any thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/sql.h"
#include "engine/base/value.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::storage {

struct Stamp {
  DateTime now;
  Random& random;  // of the row's Id
};

// The first of `count` Refs that follow each other, all of them free; 503 where an Integer holds no greater ones.
Result<std::int64_t> next_refs(Connection& connection, std::string_view table, std::int64_t count);

class NewRows {
 public:
  // `columns`: those of the entity's own.
  NewRows(std::string_view table, const std::vector<std::string_view>& columns);
  // The row's Ref, the next free one. `values` stand in the order of the columns.
  Result<std::int64_t> insert(Connection& connection, const std::vector<Value>& values, const Stamp& stamp) const;

 private:
  std::string table_;
  Sql sql_;
};

}  // namespace callisto::storage
