// Which tables a dump contains, as the database has them, and how their rows are read. The connection's thread.
#pragma once

#include "engine/base/sql.h"
#include "engine/base/value.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::importing {

inline constexpr std::int64_t dump_format = 1;
inline constexpr std::string_view key_counters = "id_block";  // Connection::next_ids
inline constexpr std::string_view desk_facts = "desk_fact";   // engine/app/serving/nodes.h

struct DumpColumn {
  SqlIdentifier name;
  std::string declared;  // its type, in the database's words
};

struct DumpTable {
  SqlIdentifier name;
  std::vector<DumpColumn> columns;  // by name, since databases add theirs in different orders
  std::vector<DumpColumn> order;    // the key; all columns where there is none
};

// All but what is the database's own: the record of its schema. Each behind those that it refers to.
Result<std::vector<DumpTable>> dump_tables(storage::Connection& connection);

// For a SELECT: of each column what it holds and that; and the order in which every database has the same rows.
Sql columns_of(const storage::Dialect& dialect, const DumpTable& table);
// " FROM TABLE": all its rows but what is the database's own, the counter of its nodes' reloads. What secret.key the
// desk is sealed with goes along, so that no other one is taken for it.
Sql rows_of(const DumpTable& table);
Sql order_of(const storage::Dialect& dialect, const DumpTable& table);
// Of a row that was so selected.
Value stored_value(const storage::Cursor& row, std::size_t column);
// Its line of a dump, with the line's end.
void append_row(std::string& line, const DumpTable& table, const storage::Cursor& row);

Result<std::uint64_t> count_rows(storage::Connection& connection, const DumpTable& table);

}  // namespace callisto::importing
