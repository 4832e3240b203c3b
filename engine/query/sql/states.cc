#include "engine/query/sql/states.h"

#include "engine/query/sql/predicate.h"

#include <utility>
#include <vector>

namespace callisto::query::emit {

Sql states_there_are(Tables& tables, const StatesBetween& states) {
  From from(tables);
  std::vector<Condition> equal;
  for (const Predicate* term : states.equal) equal.push_back(condition(tables, from, *term));
  const Sql state = column(from.root(), *states.state);
  Sql least("SELECT min(");
  least << state << ")"
        << " FROM " << from.text();
  std::vector<Condition> next = equal;
  next.push_back({Sql(state) << " > v.x"});
  Sql sql("(WITH RECURSIVE v(x) AS (");
  sql << least;
  if (!equal.empty()) sql << " WHERE " << all_of(std::move(equal)).sql;
  return sql << " UNION ALL SELECT (" << least << " WHERE " << all_of(std::move(next)).sql
             << ") FROM v WHERE v.x IS NOT NULL) SELECT x FROM v) AS v";
}

}  // namespace callisto::query::emit
