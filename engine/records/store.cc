#include "engine/records/store.h"

#include "engine/records/schema.h"
#include "engine/records/values.h"

#include <algorithm>

namespace callisto::records {

namespace {

using catalog::Entity;
using catalog::Property;

// How a value stands in the column of `property`: stored flags, everything else as storage binds it.
Value stored_value(const Property& property, const Value& value) {
  const bool* flag = std::get_if<bool>(&value);
  if (flag && property.stored.is_text()) return *flag ? property.stored.yes : property.stored.no;
  return value;
}

void append_key(Sql& sql, const Entity& entity, std::size_t first) {
  sql << SqlLiteral(" WHERE ");
  for (std::size_t i = 0; i < entity.key.size(); ++i) {
    if (i > 0) sql << SqlLiteral(" AND ");
    sql << entity.key[i]->column << SqlLiteral(" = ");
    sql.parameter(first + i);
  }
}

void append_keys(std::vector<Value>& values, const Record& record) {
  for (const Property* part : record.entity().key) values.push_back(record.stored(*part));
}

// property IN (?1, ?2)
void append_choice(Sql& sql, const Property& property, const std::vector<Value>& choice, std::vector<Value>& values) {
  sql << property.column << SqlLiteral(" IN (");
  for (std::size_t i = 0; i < choice.size(); ++i) {
    if (i > 0) sql << SqlLiteral(", ");
    values.push_back(stored_value(property, choice[i]));
    sql.parameter(values.size());
  }
  sql << SqlLiteral(")");
}

// The same as a query's `==` and `in` have it: texts are equal whatever their case, and null finds what is empty.
void append_match(Sql& sql, const storage::Dialect& dialect, const Property& property, const std::vector<Value>& choice,
                  std::vector<Value>& values) {
  const Sql column = Sql() << property.column;
  std::vector<Value> plain;
  sql << SqlLiteral("(1 = 0");
  for (const Value& each : choice) {
    if (is_null(each)) {
      sql << SqlLiteral(" OR ") << column << SqlLiteral(" IS NULL");
    } else if (catalog::is_text(property.type)) {
      values.push_back(stored_value(property, each));
      sql << SqlLiteral(" OR ") << dialect.equals_folded(column, values.size());
    } else {
      plain.push_back(each);
    }
  }
  if (!plain.empty()) append_choice(sql << SqlLiteral(" OR "), property, plain, values);
  sql << SqlLiteral(")");
}

}  // namespace

Store::Store(const catalog::Catalog& catalog, query::Dialect dialect) {
  for (const auto& entity : catalog.entities()) {
    if (&entity->root() == entity.get()) tables_.emplace(entity.get(), table_of(*entity, nullptr));
    if (!entity->abstract) inserts_.emplace(entity.get(), insert_of(*entity, dialect));
  }
}

void Store::watch(const Entity& root, const std::set<std::string>& columns) {
  watched_.insert_or_assign(&root, table_of(root, &columns));
}

std::vector<const Property*> Store::watched(const Entity& type) const {
  const auto watched = watched_.find(&type.root());
  const Table& table = watched == watched_.end() ? tables_.at(&type.root()) : watched->second;
  std::vector<const Property*> properties;
  for (const auto& [property, column] : table.columns.at(&type)) properties.push_back(property);
  return properties;
}

Store::Table Store::table_of(const Entity& root, const std::set<std::string>* only) {
  Table table;
  std::map<std::string, std::size_t> known;
  table.select = Sql("SELECT ");
  for (const Entity* type : root.final_types()) {
    Columns columns;
    for (const Property* property : type->properties) {
      if (!has_column(*property)) continue;
      const bool is_needed = property->is_key || property == type->type_column;
      if (only && !is_needed && only->count(property->column.text()) == 0) continue;
      const auto [column, is_new] = known.emplace(property->column.text(), known.size());
      if (is_new && known.size() > 1) table.select << SqlLiteral(", ");
      if (is_new) table.select << property->column;
      columns.emplace_back(property, column->second);
      if (property == type->type_column) table.type = column->second;
    }
    std::sort(columns.begin(), columns.end(),
              [](const auto& one, const auto& other) { return catalog::by_address(one.first, other.first); });
    table.types.emplace(type->name, type);
    table.columns.emplace(type, std::move(columns));
  }
  table.select << SqlLiteral(" FROM ") << root.table;
  append_key(table.select, root, 1);
  return table;
}

// Where a trigger belongs to the table, SQLite copies every page that an INSERT touches, to undo it should it fail
// half-way. FAIL does without: what can fail, keys and nulls, is looked at before anything is written (decision 0022).
Store::Insert Store::insert_of(const Entity& type, query::Dialect dialect) {
  Insert insert;
  Sql columns;
  Sql parameters;
  for (const Property* property : type.properties) {
    if (!has_column(*property)) continue;
    if (!columns.empty()) columns << SqlLiteral(", ");
    if (!parameters.empty()) parameters << SqlLiteral(", ");
    insert.properties.push_back(property);
    columns << property->column;
    parameters.parameter(insert.properties.size());
  }
  insert.sql << (dialect == query::Dialect::Sqlite ? SqlLiteral("INSERT OR FAIL INTO ") : SqlLiteral("INSERT INTO "))
             << type.table << SqlLiteral(" (") << columns << SqlLiteral(") VALUES (") << parameters << SqlLiteral(")");
  return insert;
}

Result<std::optional<Record>> Store::load(storage::Connection& connection, const Entity& entity,
                                          std::int64_t key) const {
  return load(connection, entity, Key{key});
}

Result<std::optional<Record>> Store::load(storage::Connection& connection, const Entity& entity, const Key& key) const {
  return load(tables_.at(&entity.root()), connection, entity, key);
}

Result<std::optional<Record>> Store::load_for_rules(storage::Connection& connection, const Entity& entity,
                                                    std::int64_t key) const {
  const auto watched = watched_.find(&entity.root());
  return watched == watched_.end() ? load(connection, entity, key)
                                   : load(watched->second, connection, entity, Key{key});
}

Result<std::optional<Record>> Store::load(const Table& table, storage::Connection& connection, const Entity& entity,
                                          const Key& key) {
  if (entity.key.size() != key.size() || table.types.empty()) return std::optional<Record>();
  CALLISTO_TRY(const auto row, connection.query(table.select, std::vector<Value>(key.begin(), key.end())));
  CALLISTO_TRY(const bool found, row->step());
  if (!found) return std::optional<Record>();
  const Entity* type = table.types.begin()->second;
  if (table.type) {
    const auto named = table.types.find(row->text(*table.type));
    if (named == table.types.end() || !named->second->is_or_extends(entity)) return std::optional<Record>();
    type = named->second;
  }
  Values values;
  const Columns& columns = table.columns.at(type);
  values.reserve(columns.size());
  for (const auto& [property, column] : columns) values.emplace(property, read_value(*row, column, *property));
  return std::optional(Record(*type, std::move(values)));
}

Result<std::vector<Store::Key>> Store::find(storage::Connection& connection, const Entity& entity, const Match& match,
                                            std::size_t most) const {
  std::vector<Key> keys;
  std::vector<Value> values;
  Sql parts;
  for (const Property* part : entity.key) parts << (parts.empty() ? SqlLiteral("") : SqlLiteral(", ")) << part->column;
  Sql sql("SELECT ");
  sql << parts << SqlLiteral(" FROM ") << entity.table << SqlLiteral(" WHERE 1 = 1");
  if (const Property* deleted = entity.find_property(catalog::system::is_deleted); deleted && entity.deletable) {
    sql << SqlLiteral(" AND ");
    append_choice(sql, *deleted, {Value(false)}, values);
  }
  if (entity.type_column) {
    std::vector<Value> types;
    for (const Entity* type : entity.final_types()) types.emplace_back(type->name);
    sql << SqlLiteral(" AND ");
    append_choice(sql, *entity.type_column, types, values);
  }
  for (const auto& [property, choice] : match) {
    if (choice.empty()) return keys;
    sql << SqlLiteral(" AND ");
    append_match(sql, connection.dialect(), *property, choice, values);
  }
  sql << SqlLiteral(" ORDER BY ") << parts << SqlLiteral(" LIMIT ");
  sql.integer(most);
  CALLISTO_TRY(const auto rows, connection.query(sql, values));
  for (;;) {
    CALLISTO_TRY(const bool more, rows->step());
    if (!more) return keys;
    Key& key = keys.emplace_back();
    for (std::size_t part = 0; part < entity.key.size(); ++part) key.push_back(rows->integer(part));
  }
}

Result<void> Store::insert(storage::Connection& connection, const Entity& type,
                           const catalog::PropertyValues& values) const {
  const Insert& insert = inserts_.at(&type);
  std::vector<Value> stored;
  stored.reserve(insert.properties.size());
  for (const Property* property : insert.properties) {
    const auto given = values.find(property);
    stored.push_back(given == values.end() ? Value(Null{}) : stored_value(*property, given->second));
  }
  CALLISTO_TRY(const std::int64_t changed, connection.execute(insert.sql, stored));
  if (changed != 1) return internal("an insert changed " + std::to_string(changed) + " rows");
  return {};
}

Result<void> Store::update(storage::Connection& connection, const Record& record) const {
  Sql sql("UPDATE ");
  sql << record.entity().table << SqlLiteral(" SET ");
  std::vector<Value> values;
  for (const Property* property : record.changed()) {
    if (!values.empty()) sql << SqlLiteral(", ");
    values.push_back(stored_value(*property, record.get(*property)));
    sql << property->column << SqlLiteral(" = ");
    sql.parameter(values.size());
  }
  if (values.empty()) return {};
  append_key(sql, record.entity(), values.size() + 1);
  append_keys(values, record);
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, values));
  if (changed != 1) return internal("an update changed " + std::to_string(changed) + " rows");
  return {};
}

Result<void> Store::write_bytes(storage::Connection& connection, const Record& record, const Property& property,
                                std::string& bytes) const {
  Sql sql("UPDATE ");
  sql << record.entity().table << SqlLiteral(" SET ") << property.column << SqlLiteral(" = ");
  sql.parameter(1);
  append_key(sql, record.entity(), 2);
  std::vector<Value> values;
  values.emplace_back(Binary{std::move(bytes)});
  append_keys(values, record);
  const auto changed = connection.execute(sql, values);
  bytes = std::move(std::get<Binary>(values.front()).bytes);
  if (!changed) return changed.error();
  if (*changed != 1) return internal("an update changed " + std::to_string(*changed) + " rows");
  return {};
}

Result<void> Store::remove(storage::Connection& connection, const Record& record) const {
  Sql sql("DELETE FROM ");
  sql << record.entity().table;
  append_key(sql, record.entity(), 1);
  std::vector<Value> values;
  append_keys(values, record);
  CALLISTO_TRY(const std::int64_t changed, connection.execute(sql, values));
  if (changed != 1) return internal("a delete changed " + std::to_string(changed) + " rows");
  return {};
}

}  // namespace callisto::records
