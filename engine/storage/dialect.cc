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

Sql partial_clause(const IndexSpec& index, SqlLiteral before_type) {
  Sql sql;
  const auto next = [&]() -> Sql& { return sql << (sql.empty() ? SqlLiteral(" WHERE ") : SqlLiteral(" AND ")); };
  for (const SqlIdentifier& column : index.set) next() << column << " IS NOT NULL";
  if (index.types.empty()) return sql;
  next() << before_type << index.type << " IN (";
  for (const std::string& type : index.types) {
    if (&type != &index.types.front()) sql << ", ";
    sql.constant(type);
  }
  return sql << ")";
}

}  // namespace callisto::storage
