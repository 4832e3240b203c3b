#include "engine/records/without_partition.h"

#include "engine/storage/dialect.h"

namespace callisto::records {

Result<std::vector<WithoutPartition>> rows_without_partition(storage::Connection& connection,
                                                             const catalog::Catalog& catalog) {
  std::vector<WithoutPartition> found;
  for (const auto& entity : catalog.entities()) {
    const catalog::Property* limit = entity->limiting_partition();
    if (!limit || entity->abstract || entity->key.size() != 1) continue;
    CALLISTO_TRY(const auto columns, connection.query(connection.dialect().list_columns(), {entity->table.text()}));
    CALLISTO_TRY(const bool has_table, columns->step());
    if (!has_table) continue;  // which the next start makes
    Sql sql("SELECT COUNT(*), MIN(");
    sql << entity->key.front()->column << ") FROM " << entity->table << " WHERE " << limit->column << " IS NULL";
    std::vector<Value> values;
    const auto require = [&](const catalog::Property& property, Value value) {
      values.push_back(std::move(value));
      (sql << " AND " << property.column << " = ").parameter(values.size());
    };
    if (const auto* deleted = entity->find_property(catalog::system::is_deleted); deleted && entity->deletable)
      require(*deleted, false);
    if (entity->type_column) require(*entity->type_column, entity->name);
    CALLISTO_TRY(const auto row, connection.query(sql, values));
    CALLISTO_TRY(const bool is_there, row->step());
    if (is_there && row->integer(0) > 0) found.push_back({entity.get(), row->integer(0), row->integer(1)});
  }
  return found;
}

}  // namespace callisto::records
