// Comparing two values of one family: the texts left and right of the operator, type by type. Pure; any thread.
#pragma once

#include "engine/query/emit_sql.h"
#include "engine/query/sql/condition.h"
#include "engine/query/sql/spelling.h"

#include <cstddef>

namespace callisto::query::emit {

class Tables;

struct Comparand {
  Sql sql;
  catalog::DataType type = catalog::DataType::Integer;
  int scale = 0;
  bool constant = false;
};

Comparand comparand(const Spelling& spelling, const catalog::Property& property, const Sql& column);
// Adds its parameter. `rule`: whose constant it is, where that is not the statement's own plan.
Comparand comparand(Tables& tables, ConstantRef constant, const Plan* rule = nullptr);

// Null where either side is null; `op` is not NotEqual, which is the negation of Equal.
Condition compared(const Spelling& spelling, CompareOp op, const Comparand& left, const Comparand& right);
// Equal to one of several constants.
Condition one_of(const Spelling& spelling, const Comparand& left, const std::vector<Comparand>& constants);
// Equal or both null; never null itself.
Condition same(const Spelling& spelling, const Comparand& left, const Comparand& right);

}  // namespace callisto::query::emit
