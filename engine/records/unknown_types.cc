#include "engine/records/unknown_types.h"

#include <algorithm>
#include <optional>

namespace callisto::records {

namespace {

Result<std::optional<std::string>> next_type(storage::Connection& connection, const SqlIdentifier& table,
                                             const SqlIdentifier& column, const std::string& after) {
  Sql sql("SELECT min(");
  sql << column << SqlLiteral(") FROM ") << table << SqlLiteral(" WHERE ") << column << SqlLiteral(" > ");
  sql.parameter(1);
  CALLISTO_TRY(const auto rows, connection.query(sql, {Value(after)}));
  CALLISTO_TRY(const bool found, rows->step());
  if (!found || rows->is_null(0)) return std::optional<std::string>();
  return std::optional(std::string(rows->text(0)));
}

}  // namespace

// A walk over the values in the index, not over the rows.
Result<std::vector<std::string>> stored_types(storage::Connection& connection, const SqlIdentifier& table,
                                              const SqlIdentifier& column) {
  std::vector<std::string> types;
  for (;;) {
    CALLISTO_TRY(auto next, next_type(connection, table, column, types.empty() ? std::string() : types.back()));
    if (!next) return types;
    types.push_back(*std::move(next));
  }
}

Result<std::int64_t> rows_of_type(storage::Connection& connection, const SqlIdentifier& table,
                                  const SqlIdentifier& column, const std::string& type) {
  Sql sql("SELECT count(*) FROM ");
  sql << table << SqlLiteral(" WHERE ") << column << SqlLiteral(" = ");
  sql.parameter(1);
  CALLISTO_TRY(const auto rows, connection.query(sql, {Value(type)}));
  CALLISTO_TRY(const bool found, rows->step());
  return found ? rows->integer(0) : 0;
}

Result<std::vector<UnknownType>> find_unknown_types(Model& model, storage::Connection& connection) {
  std::vector<UnknownType> strangers;
  for (const auto& entity : model.catalog().entities()) {
    if (entity->parent || !entity->type_column) continue;
    const auto types = entity->final_types();
    CALLISTO_TRY(const auto stored, stored_types(connection, entity->table, entity->type_column->column));
    for (const std::string& type : stored) {
      if (std::any_of(types.begin(), types.end(), [&](const auto* each) { return each->name == type; })) continue;
      CALLISTO_TRY(const std::int64_t rows, rows_of_type(connection, entity->table, entity->type_column->column, type));
      strangers.push_back({entity.get(), type, rows});
      model.with_unknown_types.insert(entity.get());
    }
  }
  return strangers;
}

}  // namespace callisto::records
