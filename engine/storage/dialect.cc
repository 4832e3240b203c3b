#include "engine/storage/dialect.h"

#include <algorithm>
#include <utility>

namespace callisto::storage {

bool in_key(const TableSpec& table, const ColumnSpec& column) {
  return std::find(table.primary_key.begin(), table.primary_key.end(), column.name) != table.primary_key.end();
}

Sql Dialect::rename_table(const SqlIdentifier& before, const SqlIdentifier& now) {
  return Sql("ALTER TABLE ") << before << " RENAME TO " << now;
}

Sql Dialect::rename_column(const SqlIdentifier& table, const SqlIdentifier& before, const SqlIdentifier& now) {
  return Sql("ALTER TABLE ") << table << " RENAME COLUMN " << before << " TO " << now;
}

Sql Dialect::drop_view(const SqlIdentifier& name) { return Sql("DROP VIEW IF EXISTS ") << name << "; "; }

Sql key_clause(const TableSpec& table) {
  Sql sql(", PRIMARY KEY (");
  bool first = true;
  for (const SqlIdentifier& column : table.primary_key) {
    if (!std::exchange(first, false)) sql << ", ";
    sql << column;
  }
  return sql << ")";
}

Sql default_clause(const ColumnSpec& column) {
  Sql sql;
  if (!column.text_of_older_rows.empty()) (sql << " DEFAULT ").constant(column.text_of_older_rows);
  return sql;
}

Sql partial_clause(const IndexSpec& index) {
  Sql sql;
  for (const SqlIdentifier& column : index.set)
    sql << (sql.empty() ? SqlLiteral(" WHERE ") : SqlLiteral(" AND ")) << column << " IS NOT NULL";
  return sql;
}

}  // namespace callisto::storage
