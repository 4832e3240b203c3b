#include "engine/records/file_list.h"

#include "engine/records/files.h"

namespace callisto::records {

namespace {

using catalog::Entity;
using catalog::Property;
namespace system = catalog::system;

const catalog::SubResource* files_below(const Entity& entity) {
  for (const catalog::SubResource& list : entity.sub_resources)
    if (file_properties(*list.entity)) return &list;
  return nullptr;
}

// The files below ?1, of records of other hierarchies too.
Sql below(const catalog::SubResource& list) {
  Sql sql(" WHERE ");
  sql << list.link->column << " = ?1";
  if (const Property* deleted = list.entity->find_property(system::is_deleted))
    sql << " AND " << deleted->column << " = 0";
  return sql;
}

// Keys are shared by all types of one hierarchy.
bool is_of(const Entity& entity, std::string_view type) {
  for (const Entity* each : entity.root().final_types())
    if (each->name == type) return true;
  return false;
}

}  // namespace

Result<std::vector<ListedFile>> list_files(storage::Connection& connection, const Entity& entity, std::int64_t key) {
  std::vector<ListedFile> files;
  const catalog::SubResource* list = files_below(entity);
  if (!list) return files;
  const FileProperties properties = *file_properties(*list->entity);
  const Property& changed = *list->entity->find_property(system::updated_date);
  Sql sql("SELECT ");
  sql << list->entity->key.front()->column << ", " << properties.name->column << ", " << properties.type->column << ", "
      << properties.size->column << ", " << changed.column << ", "
      << (list->type_link ? list->type_link : list->link)->column << ", COALESCE(LENGTH(" << properties.content->column
      << "), 0) FROM " << list->entity->table << below(*list);
  CALLISTO_TRY(const auto row, connection.query(sql, {Value(key)}));
  for (;;) {
    CALLISTO_TRY(const bool more, row->step());
    if (!more) return files;
    if (list->type_link && !is_of(entity, row->text(5))) continue;
    files.push_back({row->integer(0), std::string(row->text(1)), std::string(row->text(2)), row->integer(3),
                     DateTime{row->integer(4)}, row->integer(6), properties.content});
  }
}

std::optional<FileOwner> owner_of_file(const catalog::Catalog& catalog, const Entity& file,
                                       const catalog::PropertyValues& values) {
  if (!file_properties(file)) return std::nullopt;
  for (const auto& entity : catalog.entities())
    for (const catalog::SubResource& list : entity->sub_resources) {
      if (list.entity != &file || !list.type_link) continue;
      const auto type = values.find(list.type_link);
      const auto link = values.find(list.link);
      if (type == values.end() || link == values.end()) return std::nullopt;
      const auto* name = std::get_if<std::string>(&type->second);
      const auto* key = std::get_if<std::int64_t>(&link->second);
      const Entity* owner = name ? catalog.find(*name) : nullptr;
      if (!owner || !key) return std::nullopt;
      return FileOwner{owner, *key};
    }
  return std::nullopt;
}

}  // namespace callisto::records
