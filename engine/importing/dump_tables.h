// What tables a dump is of, as the database has them. The connection's thread.
#pragma once

#include "engine/base/sql.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace callisto::importing {

inline constexpr std::int64_t dump_format = 1;
inline constexpr std::string_view key_counters = "id_block";  // engine/storage/ids.h

struct DumpTable {
  SqlIdentifier name;
  std::vector<SqlIdentifier> columns;  // by name, since databases add theirs in different orders
  std::vector<SqlIdentifier> order;    // the key; all columns where there is none
};

// All but what is the database's own: the record of its schema, and what its nodes agreed on. Each behind those that it
// refers to.
Result<std::vector<DumpTable>> dump_tables(storage::Connection& connection);

}  // namespace callisto::importing
