#include "engine/importing/dump/tables.h"

#include "engine/importing/dump/row.h"

#include <algorithm>
#include <string>

namespace callisto::importing {

namespace {

// Of this database, not of the desk.
constexpr std::string_view left_out = "schema_migration";

Result<DumpTable> read_table(storage::Connection& connection, const std::string& name) {
  DumpTable table{SqlIdentifier::of(name), {}, {}};
  CALLISTO_TRY(auto rows, connection.query(connection.dialect().list_columns(), {name}));
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) break;
    table.columns.push_back({SqlIdentifier::of(rows->text(0)), std::string(rows->text(1))});
    if (rows->integer(2) != 0) table.order.push_back(table.columns.back());
  }
  const auto by_name = [](const DumpColumn& a, const DumpColumn& b) { return a.name.text() < b.name.text(); };
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
      if (rows->text(0) != left_out) names.emplace_back(rows->text(0));
    }
  }
  std::vector<DumpTable> tables;
  for (const std::string& name : names) {
    CALLISTO_TRY(DumpTable table, read_table(connection, name));
    tables.push_back(std::move(table));
  }
  return tables;
}

Sql columns_of(const storage::Dialect& dialect, const DumpTable& table) {
  Sql sql;
  for (const DumpColumn& column : table.columns) {
    if (!sql.empty()) sql << ", ";
    sql << dialect.type_of(column.name) << ", " << column.name;
  }
  return sql;
}

Sql rows_of(const DumpTable& table) {
  Sql sql(" FROM ");
  sql << table.name;
  if (table.name.text() == desk_facts) sql << " WHERE name <> 'reload'";
  return sql;
}

Sql order_of(const storage::Dialect& dialect, const DumpTable& table) {
  Sql sql;
  for (const DumpColumn& column : table.order) {
    sql << (sql.empty() ? SqlLiteral(" ORDER BY ") : SqlLiteral(", "));
    sql << dialect.in_order(column.name, column.declared);
  }
  return sql;
}

Value stored_value(const storage::Cursor& row, std::size_t column) {
  const std::string_view type = row.text(2 * column);
  const std::size_t at = 2 * column + 1;
  if (type == "integer") return row.integer(at);
  if (type == "real") return row.real(at) == 0 ? 0.0 : row.real(at);  // SQLite keeps no negative zero
  if (type == "text") return std::string(row.text(at));
  if (type == "blob") return Binary{std::string(row.text(at))};
  return Null{};
}

void append_row(std::string& line, const DumpTable& table, const storage::Cursor& row) {
  line += "{\"_table\":\"" + table.name.text() + '"';
  for (std::size_t i = 0; i < table.columns.size(); ++i) {
    const Value value = stored_value(row, i);
    if (is_null(value)) continue;
    line += ",\"" + table.columns[i].name.text() + "\":";
    append_stored(line, value);
  }
  line += "}\n";
}

Result<std::uint64_t> count_rows(storage::Connection& connection, const DumpTable& table) {
  CALLISTO_TRY(auto rows, connection.query(Sql("SELECT count(*)") << rows_of(table), {}));
  CALLISTO_CHECK(rows->step());
  return static_cast<std::uint64_t>(rows->integer(0));
}

}  // namespace callisto::importing
