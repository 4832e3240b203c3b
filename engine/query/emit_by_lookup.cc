// The values of a lookup that rows have, in the order of a page (by_lookup.h).
#include "engine/query/by_lookup.h"
#include "engine/query/sql/compare.h"
#include "engine/query/sql/predicate.h"
#include "engine/query/sql/tables.h"

#include <algorithm>
#include <utility>

namespace callisto::query {
namespace {

using emit::Condition;
using emit::From;
using emit::Tables;

class Values {
 public:
  Values(Tables& tables, const ByLookup& way)
      : tables_(tables), plan_(tables.plan), way_(way), first_(plan_.order.front().path) {}

  Statement write(std::size_t most, std::size_t most_steps) {
    const catalog::Property& lookup = first_.hops.empty() ? *first_.property : *first_.hops.front();
    Sql sql =
        in_index(lookup, first_.hops.empty() && plan_.after.empty() ? std::min(most + 1, most_steps) : most_steps);
    const Sql place = is_at_place().sql;
    sql << " SELECT x, DENSE_RANK() OVER (ORDER BY " << sorted(Sql("n")) << "), CASE WHEN n IS NULL THEN 1 ELSE 0 END, "
        << "CASE WHEN " << place << " THEN 1 ELSE 0 END, (SELECT MAX(step) FROM v) FROM (SELECT v.x AS x, " << value()
        << " AS n FROM v";
    if (!first_.hops.empty())
      sql << " LEFT JOIN " << lookup.target->table << " AS t ON t." << lookup.target->key.front()->column << " = v.x";
    sql << " WHERE v.x IS NOT NULL" << from_place(value()) << " ORDER BY " << sorted(value()) << " LIMIT ";
    sql.integer(most) << ") AS named ORDER BY " << sorted(Sql("n"));
    return emit::finished(tables_, std::move(sql));
  }

 private:
  // One step in the index for each value, over the rows of all types. In the order of the keys no more are looked at
  // than are wanted.
  Sql in_index(const catalog::Property& lookup, std::size_t most_steps) {
    const bool descending = plan_.order.front().descending;
    Sql sql("WITH RECURSIVE v(x, step) AS (SELECT (SELECT ");
    sql << next(lookup, Sql(" IS NOT NULL")) << "), 1 UNION ALL SELECT (SELECT "
        << next(lookup, Sql(descending ? SqlLiteral(" < v.x") : SqlLiteral(" > v.x")))
        << "), step + 1 FROM v WHERE v.x IS NOT NULL AND step < ";
    return sql.integer(most_steps) << ")";
  }
  Sql next(const catalog::Property& lookup, const Sql& than) {
    From from(tables_);
    const Sql value = emit::column(from.root(), lookup);
    Sql sql(plan_.order.front().descending ? SqlLiteral("MAX(") : SqlLiteral("MIN("));
    std::vector<Condition> where;
    for (const Predicate* term : way_.lead) where.push_back(condition(tables_, from, *term));
    where.push_back({Sql(value) << than});
    return sql << value << ") FROM " << from.text() << " WHERE " << all_of(std::move(where)).sql;
  }
  Sql value() const { return first_.hops.empty() ? Sql("v.x") : emit::column(Sql("t"), *first_.property); }
  Sql sorted(const Sql& value) const {
    const catalog::Property& property = *first_.property;
    const bool is_flag = property.type == catalog::DataType::Boolean;
    const Sql plain = catalog::is_text(property.type) ? tables_.spelling.text(value)
                      : is_flag                       ? tables_.spelling.flag_value(property, value)
                                                      : value;
    return tables_.spelling.order(plain, plan_.order.front().descending, false);
  }
  bool is_null_at_place() const { return is_null(plan_.constants[plan_.after.front().index].value); }
  Condition compared_with_place(CompareOp op, const Sql& value) {
    return compared(tables_.spelling, op, comparand(tables_.spelling, *first_.property, value),
                    comparand(tables_, plan_.after.front()));
  }
  Condition is_at_place() {
    if (plan_.after.empty()) return {Sql("1 = 0")};
    if (is_null_at_place()) return {Sql("n IS NULL")};
    return compared_with_place(CompareOp::Equal, Sql("n"));
  }
  // Not before the place where the page before ended. Null is the lowest value.
  Sql from_place(const Sql& value) {
    if (plan_.after.empty()) return {};
    const bool descending = plan_.order.front().descending;
    if (is_null_at_place()) return descending ? Sql(" AND ") << value << " IS NULL" : Sql();
    const Condition beyond = compared_with_place(descending ? CompareOp::LessEqual : CompareOp::GreaterEqual, value);
    if (!descending) return Sql(" AND ") << beyond.sql;
    return Sql(" AND (") << beyond.sql << " OR " << value << " IS NULL)";
  }

  Tables& tables_;
  const Plan& plan_;
  const ByLookup& way_;
  const Path& first_;
};

}  // namespace

Statement emit_values_of_lookup(const Plan& plan, const Scope& scope, const ByLookup& way, Dialect dialect,
                                std::size_t most, std::size_t most_steps) {
  Tables tables(plan, scope, dialect);
  return Values(tables, way).write(most, most_steps);
}

}  // namespace callisto::query
