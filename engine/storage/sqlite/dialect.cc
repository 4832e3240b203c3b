#include "engine/storage/dialect.h"

#include "engine/base/short_number.h"
#include "engine/storage/sqlite/substrings.h"

#include <algorithm>
#include <utility>

namespace callisto::storage {
namespace {

SqlLiteral type_name(ColumnType type) {
  switch (type) {
    case ColumnType::Whole:
      return "BIGINT";
    case ColumnType::Real:
      return "DOUBLE";
    case ColumnType::Text:
      return "TEXT";
    case ColumnType::Bytes:
      return "BLOB";
  }
  return "BLOB";
}

// Spelt exactly so, a single whole key is the table's rowid: no second tree to search.
bool is_rowid(const TableSpec& table, const ColumnSpec& column) {
  return table.primary_key.size() == 1 && column.type == ColumnType::Whole && in_key(table, column);
}

bool has_rowid_key(const TableSpec& table) {
  return std::any_of(table.columns.begin(), table.columns.end(),
                     [&](const ColumnSpec& column) { return is_rowid(table, column); });
}

SqlLiteral spelled_type(const TableSpec& table, const ColumnSpec& column) {
  return is_rowid(table, column) ? SqlLiteral("INTEGER") : type_name(column.type);
}

class SqliteDialect final : public Dialect {
 public:
  Sql create_table(const TableSpec& table) const override {
    Sql sql("CREATE TABLE ");
    sql << table.name << " (";
    bool first = true;
    for (const ColumnSpec& column : table.columns) {
      if (!std::exchange(first, false)) sql << ", ";
      sql << column.name << " " << spelled_type(table, column);
      if (is_rowid(table, column)) sql << " PRIMARY KEY";
      else if (in_key(table, column)) sql << " NOT NULL";
    }
    if (!table.primary_key.empty() && !has_rowid_key(table)) sql << key_clause(table);
    return sql << ")";
  }

  Sql add_column(const SqlIdentifier& table, const ColumnSpec& column) const override {
    Sql sql("ALTER TABLE ");
    return sql << table << " ADD COLUMN " << column.name << " " << type_name(column.type) << default_clause(column);
  }

  Sql create_index(const SqlIdentifier& table, const IndexSpec& index) const override {
    if (index.substrings) return create_substring_index(table, index);
    Sql sql(index.unique ? SqlLiteral("CREATE UNIQUE INDEX ") : SqlLiteral("CREATE INDEX "));
    sql << index.name << " ON " << table << " (";
    bool first = true;
    for (const IndexSpec::Part& part : index.parts) {
      if (!std::exchange(first, false)) sql << ", ";
      if (part.is_number) sql << short_number(Sql() << part.column);
      else sql << part.column;
      if (part.folded) sql << " COLLATE folded";
      if (part.descending) sql << " DESC";
    }
    return sql << ")" << partial_clause(index, "+ +");
  }

  Sql drop_substrings(const SqlIdentifier& index) const override { return drop_substring_triggers(index); }

  Sql list_tables() const override {
    return Sql(
        "SELECT name FROM sqlite_schema AS tables WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' "
        "AND instr(name, '~') = 0 "
        "ORDER BY (SELECT count(*) FROM pragma_foreign_key_list(tables.name)), name");
  }

  // SQLite keeps the statement of a view as it was given.
  CreateView create_view(const ViewSpec& view) const override {
    Sql create("CREATE VIEW ");
    create << view.name << " AS /* made by Callisto */ " << view.select;
    return {create, create.text()};
  }
  Sql list_views() const override {
    return Sql(
        "SELECT name, CASE WHEN type = 'view' AND instr(sql, '/* made by Callisto */') > 0 THEN sql ELSE '' END "
        "FROM sqlite_schema WHERE type IN ('table', 'view') AND name LIKE 'report\\_%' ESCAPE '\\'");
  }
  bool views_follow_tables() const override { return false; }

  // What a column holds by itself: null, integer, real, text or blob.
  Sql type_of(const SqlIdentifier& column) const override { return Sql("typeof(") << column << ")"; }
  Sql in_order(const SqlIdentifier& column, std::string_view) const override { return Sql() << column; }
  Sql equals_folded(const Sql& text, std::size_t parameter) const override {
    return (Sql(text) << " COLLATE folded = ").parameter(parameter);
  }
  Sql list_columns() const override { return Sql("SELECT name, type, pk > 0 FROM pragma_table_info(?1) ORDER BY cid"); }
  Sql list_indexes() const override {
    return Sql(
        "SELECT name FROM pragma_index_list(?1) UNION ALL "
        "SELECT name FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?1");
  }

  std::string_view declared_type(const TableSpec& table, const ColumnSpec& column) const override {
    return spelled_type(table, column).text();
  }
};

}  // namespace

const Dialect& sqlite_dialect() {
  static const SqliteDialect dialect;
  return dialect;
}

}  // namespace callisto::storage
