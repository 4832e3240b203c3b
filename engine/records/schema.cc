#include "engine/records/schema.h"

#include "engine/base/running_digest.h"
#include "engine/catalog/index_rows.h"
#include "engine/catalog/naming.h"
#include "engine/catalog/partitions.h"
#include "engine/catalog/type_index.h"

#include <algorithm>
#include <set>
#include <string>

namespace callisto::records {
namespace {

using catalog::DataType;
using catalog::Entity;
using catalog::Property;
using storage::ColumnType;
using storage::IndexSpec;
using storage::TableSpec;

// As records/values reads them: DateTime as milliseconds, Decimal as digits, a flag as its texts or as 1 and 0.
ColumnType column_type(const Property& property) {
  switch (catalog::traits(property.type).kept) {
    case catalog::Kept::Flag:
      return property.stored.is_text() ? ColumnType::Text : ColumnType::Whole;
    case catalog::Kept::Whole:
      return ColumnType::Whole;
    case catalog::Kept::Real:
      return ColumnType::Real;
    case catalog::Kept::Text:
      return ColumnType::Text;
    case catalog::Kept::Bytes:
      return ColumnType::Bytes;
  }
  return ColumnType::Text;
}

class TableBuilder {
 public:
  explicit TableBuilder(const Entity& root) : root_(root) { table_.name = root.table; }

  TableSpec build() {
    for (const Property* key : root_.key) table_.primary_key.push_back(key->column);
    add_columns(root_);
    add_composite_indexes(root_);
    add_scope_index();
    for (const Property* property : stored_) add_index_of(*property);
    add_substring_index();
    for (const std::string& name : root_.formerly)
      table_.formerly.push_back(SqlIdentifier::of(catalog::table_name(name)));
    add_own_indexes(table_.name);
    for (const SqlIdentifier& name : table_.formerly) add_own_indexes(name);
    return std::move(table_);
  }

 private:
  void add_own_indexes(const SqlIdentifier& table) {
    for (const char* prefix : {"ix_", "px_", "cx_"}) table_.own_indexes.push_back(prefix + table.text() + '_');
  }

  // Brothers may share a column; the catalog has checked that they mean the same kind.
  void add_columns(const Entity& entity) {
    for (const Property* property : entity.properties) {
      if (!has_column(*property)) continue;
      auto same = [&](const Property* other) { return other->column == property->column; };
      if (auto known = std::find_if(stored_.begin(), stored_.end(), same); known == stored_.end()) {
        stored_.push_back(property);
        table_.columns.push_back({property->column, column_type(*property)});
        // A root that has its first child: what was there until now is of the root itself.
        if (property == root_.type_column) table_.columns.back().text_of_older_rows = root_.name;
      } else if (property->indexed || ((*known)->unindexed && !property->unindexed)) {
        *known = property;  // one brother's wish for an index is enough
      }
      if (property->searchable) searchable_.insert(property->column.text());
      for (const std::string& name : property->formerly) add_former_name(property->column, SqlIdentifier::of(name));
    }
    for (const Entity* child : entity.children) add_columns(*child);
  }

  void add_former_name(const SqlIdentifier& column, const SqlIdentifier& name) {
    for (storage::ColumnSpec& each : table_.columns)
      if (each.name == column && std::find(each.formerly.begin(), each.formerly.end(), name) == each.formerly.end())
        each.formerly.push_back(name);
  }

  // Serves the limit that every search of a partitioned entity has, and counts without touching the rows.
  void add_scope_index() {
    if (!any_partitioned(root_)) return;
    const Property* partition = root_.find_property(catalog::system::partition);
    const Property* deleted = root_.find_property(catalog::system::is_deleted);
    if (!partition) return;
    scope_ = partition;
    if (begins_composite(*partition)) return;
    std::vector<const Property*> parts{partition};
    if (root_.deletable && deleted) parts.push_back(deleted);
    add_index("ix_", parts, false);
  }

  // What the entities' files ask for, and in each what every search asks of a row, so that only rows of a page are
  // read.
  void add_composite_indexes(const Entity& entity) {
    for (const catalog::Index& wanted : entity.indexes) {
      IndexSpec index;
      const auto add = [&](const Property& property, bool in_order, bool descending) {
        const bool is_known = std::any_of(index.parts.begin(), index.parts.end(),
                                          [&](const IndexSpec::Part& part) { return part.column == property.column; });
        const bool folded = in_order && catalog::is_text(property.type) && &property != root_.type_column;
        if (!is_known) index.parts.push_back({property.column, folded, descending});
      };
      for (const catalog::Index::Part& part : wanted.parts) add(*part.property, true, part.descending);
      for (const Property* property : wanted.covers) add(*property, false, false);
      for (const Property* property : asked_of_every_row()) add(*property, false, false);
      if (catalog::is_of_type_alone(entity, wanted)) limit_to_types(entity, index);
      if (!root_.children.empty() && wanted.parts.front().property != root_.type_column)
        index.parts.push_back({root_.type_column->column, false, false, true});
      for (const Property* property : wanted.set) index.set.push_back(property->column);
      if (catalog::is_of_values_alone(entity, wanted)) index.set.push_back(wanted.parts.front().property->column);
      index.name = name_of(index, wanted.parts.size());
      table_.indexes.push_back(std::move(index));
    }
    for (const Entity* child : entity.children) add_composite_indexes(*child);
  }

  // The type stands in it, too: a search asks for it.
  void limit_to_types(const Entity& entity, IndexSpec& index) const {
    index.type = root_.type_column->column;
    for (const Entity* type : entity.final_types()) index.types.push_back(type->name);
    const bool is_known = std::any_of(index.parts.begin(), index.parts.end(),
                                      [&](const IndexSpec::Part& part) { return part.column == index.type; });
    if (!is_known) index.parts.push_back({index.type});
  }

  std::vector<const Property*> asked_of_every_row() const {
    std::vector<const Property*> asked;
    const Property* deleted = root_.find_property(catalog::system::is_deleted);
    const Property* partition = root_.find_property(catalog::system::partition);
    if (root_.deletable && deleted) asked.push_back(deleted);
    if (any_partitioned(root_) && partition) asked.push_back(partition);
    return asked;
  }

  // It tells what the index holds: another takes its place.
  SqlIdentifier name_of(const IndexSpec& index, std::size_t ordered) const {
    std::string holds, name = "cx_" + table_.name.text();
    for (const IndexSpec::Part& part : index.parts) {
      if (static_cast<std::size_t>(&part - index.parts.data()) < ordered) name += '_' + part.column.text();
      holds += part.column.text() + (part.folded ? "~" : "") + (part.descending ? "-" : "") +
               (part.is_number ? "#" : "") + ' ';
    }
    for (const SqlIdentifier& column : index.set) holds += '/' + column.text();
    for (const std::string& type : index.types) holds += ':' + type;
    const std::string digest = sha256_hex(holds).substr(0, 8);
    return SqlIdentifier::of(name.substr(0, catalog::longest_name - digest.size() - 1) + '_' + digest);
  }

  // An index of all rows in which the property is set, at least.
  bool begins_composite(const Property& property) const {
    return std::any_of(table_.indexes.begin(), table_.indexes.end(), [&](const IndexSpec& index) {
      return !index.substrings && !index.unique && index.types.empty() &&
             index.parts.front().column == property.column &&
             std::all_of(index.set.begin(), index.set.end(),
                         [&](const SqlIdentifier& column) { return column == property.column; });
    });
  }

  static bool any_partitioned(const Entity& entity) {
    return entity.partitioned || std::any_of(entity.children.begin(), entity.children.end(),
                                             [](const Entity* child) { return any_partitioned(*child); });
  }

  void add_index_of(const Property& property) {
    if (begins_another_index(property)) return;
    if (property.name == catalog::system::id) return add_index("ux_", {&property}, true);
    if (property.indexed || &property == root_.type_column) return add_index("ix_", {&property}, false);
    if (property.type == DataType::Lookup && !property.unindexed) add_partial_index(property);
  }

  // Most lookups of most records are empty; who often looks for the empty ones says `indexed`.
  void add_partial_index(const Property& property) {
    add_index("px_", {&property}, false);
    table_.indexes.back().set = {property.column};
    table_.indexes.back().of_all_rows = index_name("ix_", {&property});
  }

  // One for all of them: what it costs a write is mostly the same for one text and for several. Its name tells what it
  // holds: another index takes its place.
  void add_substring_index() {
    IndexSpec index;
    std::string holds;
    for (const Property* property : stored_)
      if (searchable_.count(property->column.text()) != 0) index.parts.push_back({property->column, true});
    if (index.parts.empty() || root_.key.size() != 1) return;
    index.substrings = true;
    index.rows = rows_with_texts();
    for (const IndexSpec::Part& part : index.parts) holds += part.column.text() + ' ';
    for (const SqlIdentifier* column : {&index.rows.deleted, &index.rows.partition, &index.rows.type})
      holds += '/' + column->text();
    for (const std::string& type : index.rows.types) holds += ' ' + type;
    index.name = SqlIdentifier::of("sx2_" + table_.name.text().substr(0, 40) + '_' + sha256_hex(holds).substr(0, 8));
    table_.indexes.push_back(std::move(index));
  }

  IndexSpec::Rows rows_with_texts() const {
    IndexSpec::Rows rows;
    const Property* deleted = root_.find_property(catalog::system::is_deleted);
    if (root_.deletable && deleted && !deleted->stored.is_text()) rows.deleted = deleted->column;
    if (!catalog::texts_stand_by_partition(root_)) return rows;
    rows.partition = root_.find_property(catalog::system::partition)->column;
    if (catalog::open_types(root_).empty()) return rows;
    rows.type = root_.type_column->column;
    for (const Entity* type : catalog::partitioned_types(root_)) rows.types.push_back(type->name);
    return rows;
  }

  bool begins_another_index(const Property& property) const {
    return (!table_.primary_key.empty() && property.column == table_.primary_key.front()) ||
           (scope_ && property.column == scope_->column) ||
           (property.name != catalog::system::id && begins_composite(property));
  }

  // PostgreSQL cuts longer names, and would look for the whole one at the next start.
  SqlIdentifier index_name(const char* prefix, const std::vector<const Property*>& properties) const {
    std::string name = prefix + table_.name.text();
    for (const Property* property : properties) name += '_' + property->column.text();
    if (name.size() <= catalog::longest_name) return SqlIdentifier::of(name);
    const std::string digest = sha256_hex(name).substr(0, 8);
    return SqlIdentifier::of(name.substr(0, catalog::longest_name - digest.size() - 1) + '_' + digest);
  }

  void add_index(const char* prefix, const std::vector<const Property*>& properties, bool unique) {
    IndexSpec index;
    index.name = index_name(prefix, properties);
    index.unique = unique;
    // Texts of users are found ignoring case; the type is the program's own text and compared as it stands.
    for (const Property* property : properties)
      index.parts.push_back({property->column, catalog::is_text(property->type) && property != root_.type_column});
    table_.indexes.push_back(std::move(index));
  }

  const Entity& root_;
  TableSpec table_;
  std::vector<const Property*> stored_;  // in the order of the columns
  std::set<std::string> searchable_;     // columns
  const Property* scope_ = nullptr;
};

}  // namespace

bool has_column(const Property& property) {
  return !property.mirror_of && !property.query_alias && property.property_class != catalog::PropertyClass::Extension &&
         !property.column.text().empty();
}

namespace {

// The columns of a table that hold names of entities: of its own rows, and of what they hang on.
std::set<const Property*> columns_of_types(const catalog::Catalog& catalog, const Entity& root) {
  std::set<const Property*> columns;
  if (root.type_column) columns.insert(root.type_column);
  for (const auto& entity : catalog.entities())
    for (const catalog::SubResource& list : entity->sub_resources)
      if (list.type_link && &list.entity->root() == &root) columns.insert(list.type_link);
  return columns;
}

std::vector<TableSpec::RenamedText> renamed_types(const catalog::Catalog& catalog, const Entity& root) {
  std::vector<TableSpec::RenamedText> renamed;
  for (const Property* column : columns_of_types(catalog, root))
    for (const auto& entity : catalog.entities()) {
      if (column == root.type_column && &entity->root() != &root) continue;
      for (const std::string& name : entity->formerly) renamed.push_back({column->column, name, entity->name});
    }
  return renamed;
}

}  // namespace

std::vector<TableSpec> tables_of(const catalog::Catalog& catalog) {
  std::vector<TableSpec> tables;
  for (const auto& entity : catalog.entities()) {
    if (entity->parent) continue;
    tables.push_back(TableBuilder(*entity).build());
    tables.back().renamed_texts = renamed_types(catalog, *entity);
  }
  return tables;
}

}  // namespace callisto::records
