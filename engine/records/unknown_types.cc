#include "engine/records/unknown_types.h"

#include <algorithm>
#include <optional>

namespace callisto::records {

namespace {

// A walk over the values in the index, not over the rows.
Result<std::optional<std::string>> next_type(storage::Connection& connection, const catalog::Entity& root,
                                             const std::string& after) {
  Sql sql("SELECT min(");
  sql << root.type_column->column << SqlLiteral(") FROM ") << root.table << SqlLiteral(" WHERE ")
      << root.type_column->column << SqlLiteral(" > ");
  sql.parameter(1);
  CALLISTO_TRY(const auto rows, connection.query(sql, {Value(after)}));
  CALLISTO_TRY(const bool found, rows->step());
  if (!found || rows->is_null(0)) return std::optional<std::string>();
  return std::optional(std::string(rows->text(0)));
}

Result<std::int64_t> count(storage::Connection& connection, const catalog::Entity& root, const std::string& type) {
  Sql sql("SELECT count(*) FROM ");
  sql << root.table << SqlLiteral(" WHERE ") << root.type_column->column << SqlLiteral(" = ");
  sql.parameter(1);
  CALLISTO_TRY(const auto rows, connection.query(sql, {Value(type)}));
  CALLISTO_TRY(const bool found, rows->step());
  return found ? rows->integer(0) : 0;
}

}  // namespace

Result<std::vector<UnknownType>> find_unknown_types(Model& model, storage::Connection& connection) {
  std::vector<UnknownType> strangers;
  for (const auto& entity : model.catalog().entities()) {
    if (entity->parent || !entity->type_column) continue;
    const auto types = entity->final_types();
    std::string type;
    for (;;) {
      CALLISTO_TRY(const auto next, next_type(connection, *entity, type));
      if (!next) break;
      type = *next;
      if (std::any_of(types.begin(), types.end(), [&](const auto* each) { return each->name == type; })) continue;
      CALLISTO_TRY(const std::int64_t rows, count(connection, *entity, type));
      strangers.push_back({entity.get(), type, rows});
      model.with_unknown_types.insert(entity.get());
    }
  }
  return strangers;
}

}  // namespace callisto::records
