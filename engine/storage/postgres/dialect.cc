#include "engine/storage/dialect.h"
#include "engine/base/running_digest.h"

#include <utility>

namespace callisto::storage {
namespace {

SqlLiteral type_name(ColumnType type) {
  switch (type) {
    case ColumnType::Whole:
      return "BIGINT";
    case ColumnType::Real:
      return "DOUBLE PRECISION";
    case ColumnType::Text:
      return "TEXT";
    case ColumnType::Bytes:
      return "BYTEA";
  }
  return "BYTEA";
}

// The partition stands first, so that the entries of others are not looked at; that takes btree_gin.
Sql create_gin(const SqlIdentifier& table, const IndexSpec& index, const SqlIdentifier& partition) {
  Sql sql("CREATE INDEX ");
  sql << index.name << " ON " << table << " USING gin (";
  bool first = true;
  if (!partition.text().empty()) {
    first = false;
    sql << partition;
  }
  for (const IndexSpec::Part& part : index.parts) {
    if (!std::exchange(first, false)) sql << ", ";
    sql << "folded(" << part.column << ") gin_trgm_ops";
  }
  return sql << "); ";
}

constexpr SqlLiteral without_extension(
    "EXCEPTION WHEN feature_not_supported OR undefined_file OR insufficient_privilege THEN ");

// Where the server has no pg_trgm, or it may not be made here, substrings are looked for in every row; asked again at
// each start.
Sql create_substring_index(const SqlIdentifier& table, const IndexSpec& index) {
  Sql create;
  if (index.rows.partition.text().empty()) create = create_gin(table, index, {});
  else
    create << "BEGIN CREATE EXTENSION IF NOT EXISTS btree_gin; " << create_gin(table, index, index.rows.partition)
           << without_extension << "RAISE WARNING 'the index of substrings does without partitions: %', SQLERRM; "
           << create_gin(table, index, {}) << "END; ";
  return Sql("DO $$ BEGIN CREATE EXTENSION IF NOT EXISTS pg_trgm; ")
         << create << without_extension << "RAISE WARNING 'no index of substrings: %', SQLERRM; END $$";
}

class PostgresDialect final : public Dialect {
 public:
  Sql create_table(const TableSpec& table) const override {
    Sql sql("CREATE TABLE ");
    sql << table.name << " (";
    bool first = true;
    for (const ColumnSpec& column : table.columns) {
      if (!std::exchange(first, false)) sql << ", ";
      sql << column.name << " " << type_name(column.type);
      if (in_key(table, column)) sql << " NOT NULL";
    }
    if (!table.primary_key.empty()) sql << key_clause(table);
    return sql << ")";
  }

  Sql add_column(const SqlIdentifier& table, const ColumnSpec& column) const override {
    Sql sql("ALTER TABLE ");
    return sql << table << " ADD COLUMN " << column.name << " " << type_name(column.type) << default_clause(column);
  }

  Sql drop_substrings(const SqlIdentifier& index) const override { return Sql("DROP INDEX IF EXISTS ") << index; }

  // In the order that queries ask for: null is the lowest value.
  Sql create_index(const SqlIdentifier& table, const IndexSpec& index) const override {
    if (index.substrings) return create_substring_index(table, index);
    Sql sql(index.unique ? SqlLiteral("CREATE UNIQUE INDEX ") : SqlLiteral("CREATE INDEX "));
    sql << index.name << " ON " << table << " (";
    bool first = true;
    for (const IndexSpec::Part& part : index.parts) {
      if (part.is_number) continue;
      if (!std::exchange(first, false)) sql << ", ";
      if (part.folded) sql << "folded(" << part.column << ") COLLATE \"C\"";
      else sql << part.column;
      sql << (part.descending ? SqlLiteral(" DESC NULLS LAST") : SqlLiteral(" NULLS FIRST"));
    }
    return sql << ")" << partial_clause(index, "");
  }

  Sql list_tables() const override {
    return Sql(
        "SELECT c.relname FROM pg_class c WHERE c.relkind = 'r' AND c.relnamespace = to_regnamespace(current_schema()) "
        "ORDER BY (SELECT count(*) FROM pg_constraint f WHERE f.conrelid = c.oid AND f.contype = 'f'), "
        "c.relname COLLATE \"C\"");
  }

  // PostgreSQL keeps a text of its own making, and a comment.
  CreateView create_view(const ViewSpec& view) const override {
    Sql create("CREATE VIEW ");
    create << view.name << " AS " << view.select;
    const std::string note = view.description + " (made by Callisto, " + sha256_hex(create.text()).substr(0, 16) + ")";
    create << "; COMMENT ON VIEW " << view.name << " IS ";
    create.constant(note);
    return {create, note};
  }

  Sql list_views() const override {
    return Sql(
        "SELECT c.relname, CASE WHEN c.relkind = 'v' AND obj_description(c.oid, 'pg_class') LIKE '%(made by Callisto, "
        "%' THEN obj_description(c.oid, 'pg_class') ELSE '' END FROM pg_class c "
        "WHERE c.relnamespace = to_regnamespace(current_schema()) AND c.relname LIKE 'report\\_%'");
  }

  bool views_follow_tables() const override { return true; }

  Sql type_of(const SqlIdentifier& column) const override {
    Sql sql("CASE WHEN ");
    return sql << column << " IS NULL THEN 'null' ELSE CASE pg_typeof(" << column
               << ")::text WHEN 'bigint' THEN 'integer' WHEN 'double precision' THEN 'real' WHEN 'text' THEN 'text' "
                  "ELSE 'blob' END END";
  }

  Sql in_order(const SqlIdentifier& column, std::string_view declared) const override {
    Sql sql;
    sql << column;
    if (declared == "TEXT") sql << " COLLATE \"C\"";
    return sql << " NULLS FIRST";
  }

  Sql let_transaction_wait() const override { return Sql("SET LOCAL idle_in_transaction_session_timeout = 0"); }

  Sql equals_folded(const Sql& text, std::size_t parameter) const override {
    Sql sql("folded(");
    sql << text << ") COLLATE \"C\" = folded(";
    return sql.parameter(parameter) << ")";
  }

  Sql list_columns() const override {
    return Sql(
        "SELECT a.attname, upper(format_type(COALESCE(NULLIF(t.typbasetype, 0), t.oid), NULL)), "
        "COALESCE(a.attnum = ANY (i.indkey), FALSE) FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid "
        "LEFT JOIN pg_index i ON i.indrelid = a.attrelid AND i.indisprimary "
        "WHERE a.attrelid = to_regclass(quote_ident(?1)) AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum");
  }

  Sql list_indexes() const override {
    return Sql(
        "SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid "
        "WHERE i.indrelid = to_regclass(quote_ident(?1))");
  }

  std::string_view declared_type(const TableSpec&, const ColumnSpec& column) const override {
    return type_name(column.type).text();
  }
};

}  // namespace

const Dialect& postgres_dialect() {
  static const PostgresDialect dialect;
  return dialect;
}

}  // namespace callisto::storage
