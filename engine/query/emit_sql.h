// Plan -> parameterized SQL. Pure; any thread. All SQL spelling of queries stands in emit_sql*.cc; the dialects differ
// only there and in storage/dialect. The text depends on the plan's form and on Scope's sizes, never on values, so that
// statements can be kept.
#pragma once

#include "engine/base/sql.h"
#include "engine/query/plan.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace callisto::query {

enum class Dialect { Sqlite, PostgreSql };

// What the n-th parameter of a statement is.
struct ConstantBinding {
  std::size_t index = 0;
  bool folded = false;
};  // Plan::constants, text folded where asked
struct PartitionBinding {
  std::size_t index = 0;
};                               // Scope::partitions
struct PlanPartitionBinding {};  // Plan::partition
struct KeyBinding {
  std::size_t index = 0;
};  // emit_record: the key's parts; then Parent's key
struct TextBinding {
  std::string text;
};  // a name of the catalog (a final type)
enum class Paging { Top, Skip };
using Binding = std::variant<ConstantBinding, PartitionBinding, PlanPartitionBinding, KeyBinding, TextBinding, Paging>;

struct Statement {
  Sql sql;
  std::vector<Binding> bindings;  // in parameter order
};

// Only rows below one record: link == the parent's key (the KeyBinding after the record's own) and, where type_link is
// set, type_link is one of `types` (the parent's final entity and what that extends).
struct Parent {
  const catalog::Property* link = nullptr;
  const catalog::Property* type_link = nullptr;
  std::vector<std::string> types;
};

// How many partitions the session has; nullopt: all, no limit. Every table occurrence of a partitioned entity is
// limited inside its own ON clause or subquery (trust.md D.2), the root in WHERE. Where a table mixes partitioned types
// with others, only rows of the partitioned ones are limited.
struct Scope {
  std::optional<std::size_t> partitions = std::nullopt;
  std::optional<Parent> parent = std::nullopt;
};

Statement emit_rows(const Plan& plan, const Scope& scope, Dialect dialect);    // columns in the order of Plan::columns
Statement emit_count(const Plan& plan, const Scope& scope, Dialect dialect);   // one row, one column
Statement emit_record(const Plan& plan, const Scope& scope, Dialect dialect);  // by key; deleted rows are not found

// The value to bind for a constant: Boolean as 1/0, DateTime as ms, Decimal as digits, text folded where asked.
Value bound_value(const ConstantBinding& binding, const Plan& plan, const std::vector<Value>& constants);

}  // namespace callisto::query
