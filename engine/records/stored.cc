#include "engine/records/stored.h"

#include "engine/base/text.h"
#include "engine/records/unknown_types.h"

#include <algorithm>
#include <set>

namespace callisto::records {

namespace {

using storage::ColumnSpec;
using storage::Connection;
using storage::TableSpec;

Result<std::vector<std::string>> names(Connection& connection, const Sql& sql, const std::vector<Value>& values) {
  std::vector<std::string> all;
  CALLISTO_TRY(const auto rows, connection.query(sql, values));
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) return all;
    all.emplace_back(rows->text(0));
  }
}

Result<std::vector<std::string>> columns_of(Connection& connection, const SqlIdentifier& table) {
  return names(connection, connection.dialect().list_columns(), {table.text()});
}

struct Found {
  SqlIdentifier name;  // empty: it is not there
  std::vector<std::string> columns;
};

Result<Found> find(Connection& connection, const TableSpec& table) {
  std::vector<SqlIdentifier> possible{table.name};
  possible.insert(possible.end(), table.formerly.begin(), table.formerly.end());
  for (const SqlIdentifier& name : possible) {
    CALLISTO_TRY(auto columns, columns_of(connection, name));
    if (!columns.empty()) return Found{name, std::move(columns)};
  }
  return Found();
}

const std::string* column_for(const Found& found, const ColumnSpec& wanted) {
  std::vector<SqlIdentifier> possible{wanted.name};
  possible.insert(possible.end(), wanted.formerly.begin(), wanted.formerly.end());
  for (const SqlIdentifier& name : possible)
    for (const std::string& column : found.columns)
      if (text::equals_ignoring_ascii_case(column, name.text())) return &column;
  return nullptr;
}

Result<std::int64_t> number(Connection& connection, const Sql& sql, const std::vector<Value>& values = {}) {
  CALLISTO_TRY(const auto row, connection.query(sql, values));
  CALLISTO_TRY(const bool found, row->step());
  return found ? row->integer(0) : 0;
}

class Search {
 public:
  Search(Connection& connection, const catalog::Catalog& catalog) : connection_(connection), catalog_(catalog) {}

  Result<void> look_at(const TableSpec& table) {
    CALLISTO_TRY(const Found found, find(connection_, table));
    if (found.name.text().empty()) return {};
    known_.insert(found.name.text());
    std::set<std::string> shown;
    for (const ColumnSpec& wanted : table.columns)
      if (const std::string* column = column_for(found, wanted)) shown.insert(*column);
    const catalog::Entity* root = root_of(table);
    for (const std::string& column : found.columns)
      if (shown.count(column) == 0 && column[0] >= 'A' && column[0] <= 'Z')
        CALLISTO_CHECK(count_values(*root, found.name, column));
    if (root->type_column) return count_types(*root, found, table);
    return {};
  }

  // Tables that were an entity's.
  Result<void> look_for_tables() {
    CALLISTO_TRY(const auto all, names(connection_, connection_.dialect().list_tables(), {}));
    for (const std::string& name : all) {
      const SqlIdentifier table = SqlIdentifier::of(name);
      if (table.text().empty() || known_.count(name) > 0) continue;
      CALLISTO_TRY(const auto columns, columns_of(connection_, table));
      const auto has = [&](std::string_view column) {
        return std::find(columns.begin(), columns.end(), column) != columns.end();
      };
      if (!has(catalog::system::version) || !has(catalog::system::created_date)) continue;
      CALLISTO_TRY(const std::int64_t count, number(connection_, Sql("SELECT count(*) FROM ") << table));
      std::string entity = name;
      std::replace(entity.begin(), entity.end(), '_', '-');
      add({Unseen::Kind::Table, entity, {}, count});
    }
    return {};
  }

  std::vector<Unseen> unseen;

 private:
  void add(Unseen each) {
    if (each.count > 0) unseen.push_back(std::move(each));
  }

  const catalog::Entity* root_of(const TableSpec& table) const {
    for (const auto& entity : catalog_.entities())
      if (!entity->parent && entity->table == table.name) return entity.get();
    return nullptr;
  }

  Result<void> count_values(const catalog::Entity& root, const SqlIdentifier& table, const std::string& column) {
    const SqlIdentifier name = SqlIdentifier::of(column);
    if (name.text().empty()) return {};
    Sql sql("SELECT count(");
    sql << name << ") FROM " << table;
    CALLISTO_TRY(const std::int64_t count, number(connection_, sql));
    add({Unseen::Kind::Column, root.name, column, count});
    return {};
  }

  Result<void> count_types(const catalog::Entity& root, const Found& table, const TableSpec& spec) {
    const auto is_type_column = [&](const ColumnSpec& each) { return each.name == root.type_column->column; };
    const auto wanted = std::find_if(spec.columns.begin(), spec.columns.end(), is_type_column);
    const std::string* column = wanted == spec.columns.end() ? nullptr : column_for(table, *wanted);
    if (!column) return {};
    const SqlIdentifier type = SqlIdentifier::of(*column);
    CALLISTO_TRY(const auto types, stored_types(connection_, table.name, type));
    for (const std::string& name : types) {
      if (is_known(root, spec, name)) continue;
      CALLISTO_TRY(const std::int64_t count, rows_of_type(connection_, table.name, type, name));
      add({Unseen::Kind::RowsOfType, root.name, name, count});
    }
    return {};
  }

  static bool is_known(const catalog::Entity& root, const TableSpec& spec, const std::string& name) {
    const auto types = root.final_types();
    return std::any_of(types.begin(), types.end(), [&](const auto* type) { return type->name == name; }) ||
           std::any_of(spec.renamed_texts.begin(), spec.renamed_texts.end(), [&](const auto& renamed) {
             return renamed.column == root.type_column->column && renamed.before == name;
           });
  }

  Connection& connection_;
  const catalog::Catalog& catalog_;
  std::set<std::string> known_;  // tables
};

}  // namespace

Result<catalog::StoredNames> stored_names(Connection& connection, const std::vector<TableSpec>& tables) {
  catalog::StoredNames stored;
  for (const TableSpec& table : tables) {
    CALLISTO_TRY(const Found found, find(connection, table));
    catalog::StoredNames::Table& names = stored.tables[table.name.text()];
    names.name = found.name;
    for (const ColumnSpec& wanted : table.columns)
      if (const std::string* column = column_for(found, wanted))
        names.columns.emplace(wanted.name.text(), SqlIdentifier::of(*column));
  }
  return stored;
}

Result<std::vector<Unseen>> unseen(Connection& connection, const catalog::Catalog& catalog,
                                   const std::vector<TableSpec>& tables) {
  Search search(connection, catalog);
  for (const TableSpec& table : tables) CALLISTO_CHECK(search.look_at(table));
  CALLISTO_CHECK(search.look_for_tables());
  return std::move(search.unseen);
}

}  // namespace callisto::records
