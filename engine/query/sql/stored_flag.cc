#include "engine/query/stored_flag.h"

#include "engine/query/sql/spelling.h"

namespace callisto::query {

Sql stored_flag(Dialect dialect, const catalog::Property& property, const Sql& column) {
  return emit::Spelling{dialect}.flag_is_true(property, column);
}

}  // namespace callisto::query
