#include "engine/importing/dump_tables.h"

#include <algorithm>
#include <iterator>
#include <string>

namespace callisto::importing {

namespace {

// Of this database, not of the desk.
constexpr std::string_view left_out[] = {"schema_migration", "desk_fact"};

Result<DumpTable> read_table(storage::Connection& connection, const std::string& name) {
  DumpTable table{SqlIdentifier::of(name), {}, {}};
  CALLISTO_TRY(auto rows, connection.query(connection.dialect().list_columns(), {name}));
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) break;
    table.columns.push_back(SqlIdentifier::of(rows->text(0)));
    if (rows->integer(2) != 0) table.order.push_back(table.columns.back());
  }
  const auto by_name = [](const SqlIdentifier& a, const SqlIdentifier& b) { return a.text() < b.text(); };
  std::sort(table.columns.begin(), table.columns.end(), by_name);
  if (table.order.empty()) table.order = table.columns;
  return table;
}

}  // namespace

Result<std::vector<DumpTable>> dump_tables(storage::Connection& connection) {
  std::vector<std::string> names;
  {
    CALLISTO_TRY(auto rows, connection.query(connection.dialect().list_tables(), {}));
    for (;;) {
      CALLISTO_TRY(const bool more, rows->step());
      if (!more) break;
      if (std::find(std::begin(left_out), std::end(left_out), rows->text(0)) == std::end(left_out))
        names.emplace_back(rows->text(0));
    }
  }
  std::vector<DumpTable> tables;
  for (const std::string& name : names) {
    CALLISTO_TRY(DumpTable table, read_table(connection, name));
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace callisto::importing
