#include "engine/records/purge.h"

#include "engine/catalog/holders.h"
#include "engine/records/schema.h"
#include "engine/storage/upkeep.h"

#include <algorithm>
#include <set>

namespace callisto::records {

namespace {

using catalog::Entity;
using catalog::Property;
using catalog::SubResource;
namespace system = catalog::system;

constexpr std::size_t rows_of_a_transaction = 200;

bool is_purged(const Entity& root) {
  return root.deletable && root.key.size() == 1 && root.find_property(system::is_deleted) &&
         root.find_property(system::updated_date);
}

// Final types of the hierarchy; of `only` and its children, where that is given.
std::vector<const Entity*> types_of(const Entity& root, const Entity* only) {
  if (!only) return root.final_types();
  return &only->root() == &root ? only->final_types() : std::vector<const Entity*>();
}

// key FROM table WHERE they were deleted before the moment.
Sql candidates(const Entity& root, const std::vector<const Entity*>& types, DateTime before,
               std::vector<Value>& values) {
  Sql sql;
  values = {Value(true), Value(before)};
  sql << root.key.front()->column << " FROM " << root.table << " WHERE ";
  (sql << root.find_property(system::is_deleted)->column << " = ").parameter(1);
  (sql << " AND " << root.find_property(system::updated_date)->column << " < ").parameter(2);
  if (!root.type_column) return sql;
  sql << " AND " << root.type_column->column << " IN (";
  for (const Entity* type : types) {
    if (values.size() > 2) sql << ", ";
    values.emplace_back(type->name);
    sql.parameter(values.size());
  }
  return sql << ")";
}

Result<std::vector<std::int64_t>> keys_of(storage::Connection& connection, const Sql& sql,
                                          const std::vector<Value>& values) {
  CALLISTO_TRY(const auto rows, connection.query(sql, values));
  std::vector<std::int64_t> keys;
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) return keys;
    keys.push_back(rows->integer(0));
  }
}

struct Column {
  const Entity* root;
  const Property* property;
};

// Lookups that lead to rows of the hierarchy, by table and column: those of its parts go with the row.
std::vector<Column> columns_to(const catalog::Catalog& catalog, const Entity& root) {
  std::set<std::pair<std::string, std::string>> known;
  std::vector<Column> columns;
  for (const auto& entity : catalog.entities())
    for (const Property* property : entity->properties) {
      const bool leads_here = property->target && &property->target->root() == &root && has_column(*property);
      if (!leads_here || property->is_key || property->owner != entity.get()) continue;
      if (known.emplace(entity->table.text(), property->column.text()).second)
        columns.push_back({&entity->root(), property});
    }
  return columns;
}

Result<Purgeable> purgeable_of(storage::Connection& connection, const catalog::Catalog& catalog, const Entity& root,
                               const std::vector<const Entity*>& types, DateTime before) {
  Purgeable found{&root, {}, 0};
  std::vector<Value> values;
  const Sql sql = candidates(root, types, before, values);
  CALLISTO_TRY(const auto keys, keys_of(connection, Sql("SELECT ") << sql << " ORDER BY 1", values));
  if (keys.empty()) return found;
  std::set<std::int64_t> held;
  for (const auto& [table, property] : columns_to(catalog, root)) {
    Sql refers("SELECT DISTINCT ");
    refers << property->column << " FROM " << table->table << " WHERE " << property->column << " IN (SELECT " << sql
           << ")";
    if (table == &root) refers << " AND " << property->column << " <> " << root.key.front()->column;
    CALLISTO_TRY(const auto referred, keys_of(connection, refers, values));
    held.insert(referred.begin(), referred.end());
  }
  std::set_difference(keys.begin(), keys.end(), held.begin(), held.end(), std::back_inserter(found.keys));
  found.held = static_cast<std::int64_t>(keys.size() - found.keys.size());
  return found;
}

class Remover {
 public:
  Remover(storage::Connection& connection, const Entity& root, DateTime before, const Purging& purging, Purged& purged)
      : connection_(connection), root_(root), before_(before), purging_(purging), purged_(purged) {}

  // False where it is deleted no more.
  Result<bool> remove(std::int64_t key) {
    CALLISTO_TRY(const Entity* type, type_of(key));
    if (!type) return false;
    for (const SubResource& list : type->sub_resources)
      if (catalog::is_part(list)) CALLISTO_CHECK(remove_parts(*type, list, key));
    Sql is_it;
    (is_it << root_.key.front()->column << " = ").parameter(1);
    CALLISTO_CHECK(remove(*type, is_it, {Value(key)}));
    return true;
  }

 private:
  Result<void> remove(const Entity& entity, const Sql& where, const std::vector<Value>& values) {
    CALLISTO_CHECK(note_bytes(entity, where, values));
    for (const Property* property : entity.properties)
      if (property->type == catalog::DataType::Binary) CALLISTO_CHECK(let_keep(entity, *property, where, values));
    CALLISTO_TRY(const std::int64_t rows,
                 connection_.execute(Sql("DELETE FROM ") << entity.table << " WHERE " << where, values));
    if (rows > 0) purged_.rows[entity.name] += rows;
    return {};
  }

  // Null where the row is no candidate any more.
  Result<const Entity*> type_of(std::int64_t key) {
    Sql sql("SELECT ");
    if (root_.type_column) sql << root_.type_column->column;
    else sql << "''";
    (sql << " FROM " << root_.table << " WHERE " << root_.key.front()->column << " = ").parameter(1);
    (sql << " AND " << root_.find_property(system::is_deleted)->column << " = ").parameter(2);
    (sql << " AND " << root_.find_property(system::updated_date)->column << " < ").parameter(3);
    CALLISTO_TRY(const auto row, connection_.query(sql, {Value(key), Value(true), Value(before_)}));
    CALLISTO_TRY(const bool is_there, row->step());
    if (!is_there) return static_cast<const Entity*>(nullptr);
    if (!root_.type_column) return &root_;
    for (const Entity* type : root_.final_types())
      if (type->name == row->text(0)) return type;
    return static_cast<const Entity*>(nullptr);
  }

  // History and files, deleted ones too.
  Result<void> remove_parts(const Entity& type, const SubResource& list, std::int64_t key) {
    Sql where;
    (where << list.link->column << " = ").parameter(1);
    std::vector<Value> values{Value(key)};
    if (list.type_link) {
      where << " AND " << list.type_link->column << " IN (";
      for (const Entity* each = &type; each; each = each->parent) {
        if (values.size() > 1) where << ", ";
        values.emplace_back(each->name);
        where.parameter(values.size());
      }
      where << ")";
    }
    return remove(*list.entity, where, values);
  }

  Result<void> let_keep(const Entity& entity, const Property& property, const Sql& where,
                        const std::vector<Value>& values) {
    if (entity.key.size() != 1) return {};
    Sql sql("SELECT ");
    sql << entity.key.front()->column << " FROM " << entity.table << " WHERE " << where;
    CALLISTO_TRY(const auto keys, keys_of(connection_, sql, values));
    for (const std::int64_t key : keys)
      CALLISTO_CHECK(purging_.replacing(connection_, {&entity, key, &property, purging_.now}));
    return {};
  }

  Result<void> note_bytes(const Entity& entity, const Sql& where, const std::vector<Value>& values) {
    const Property* size = entity.find_property(system::file_size);
    if (!size || !entity.find_property(system::file_content)) return {};
    Sql sql("SELECT COALESCE(SUM(");
    sql << size->column << "), 0) FROM " << entity.table << " WHERE " << where;
    CALLISTO_TRY(const auto row, connection_.query(sql, values));
    CALLISTO_TRY(const bool is_there, row->step());
    if (is_there) purged_.bytes += row->integer(0);
    return {};
  }

  storage::Connection& connection_;
  const Entity& root_;
  const DateTime before_;
  const Purging& purging_;
  Purged& purged_;
};

}  // namespace

Result<std::vector<Purgeable>> find_purgeable(storage::Connection& connection, const catalog::Catalog& catalog,
                                              const Entity* only, DateTime deleted_before) {
  std::vector<Purgeable> all;
  for (const auto& entity : catalog.entities()) {
    const auto types = types_of(*entity, only);
    if (entity->parent || !is_purged(*entity) || types.empty()) continue;
    CALLISTO_TRY(Purgeable found, purgeable_of(connection, catalog, *entity, types, deleted_before));
    if (!found.keys.empty() || found.held > 0) all.push_back(std::move(found));
  }
  return all;
}

namespace {

Result<void> remove_all(storage::Database& database, const Purgeable& found, DateTime before, const Purging& purging,
                        Purged& purged) {
  for (std::size_t first = 0; first < found.keys.size(); first += rows_of_a_transaction) {
    const std::size_t end = std::min(first + rows_of_a_transaction, found.keys.size());
    Purged so_far = purged;
    CALLISTO_CHECK(database.write([&](storage::Connection& connection) -> Result<void> {
      so_far = purged;  // it may run again
      Remover remover(connection, *found.root, before, purging, so_far);
      for (std::size_t i = first; i < end; ++i) {
        CALLISTO_TRY(const bool is_gone, remover.remove(found.keys[i]));
        if (is_gone) CALLISTO_CHECK(purging.forget(connection, *found.root, found.keys[i]));
      }
      return {};
    }));
    purged = std::move(so_far);
  }
  return {};
}

// What the index of substrings keeps of rows that are gone goes with all that it knows: it is made anew.
Result<void> renew_substrings(storage::Database& database, const Model& model, const std::set<const Entity*>& roots) {
  if (model.dialect != query::Dialect::Sqlite) return {};
  for (const storage::TableSpec& table : tables_of(model.catalog())) {
    const auto is_it = [&](const Entity* root) { return root->table == table.name; };
    const bool has_index = std::any_of(table.indexes.begin(), table.indexes.end(),
                                       [](const storage::IndexSpec& index) { return index.substrings; });
    if (!has_index || std::none_of(roots.begin(), roots.end(), is_it)) continue;
    CALLISTO_CHECK(database.write(
        [&](storage::Connection& connection) { return storage::renew_substring_index(connection, table.name); }));
  }
  return {};
}

}  // namespace

Result<void> purge(storage::Database& database, const Model& model, const Entity* only, DateTime deleted_before,
                   const Purging& purging, Purged& purged) {
  std::set<const Entity*> changed;
  for (bool goes_on = true; goes_on;) {
    goes_on = false;
    purged.held = 0;
    std::vector<Purgeable> found;
    CALLISTO_CHECK(database.write([&](storage::Connection& connection) -> Result<void> {  // which no deadline cuts off
      CALLISTO_TRY(found, find_purgeable(connection, model.catalog(), only, deleted_before));
      return {};
    }));
    for (const Purgeable& each : found) {
      purged.held += each.held;
      goes_on = goes_on || !each.keys.empty();
      if (!each.keys.empty()) changed.insert(each.root);
      CALLISTO_CHECK(remove_all(database, each, deleted_before, purging, purged));
    }
  }
  return renew_substrings(database, model, changed);
}

}  // namespace callisto::records
