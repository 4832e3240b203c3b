// Rows of one type in a table that mixes types, in the words that an index answers.
#include "engine/base/short_number.h"
#include "engine/catalog/type_index.h"
#include "engine/query/index_cover.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/rows.h"
#include "engine/query/sql/tables.h"

#include <algorithm>
#include <set>
#include <utility>

namespace callisto::query::emit {

namespace {

// The index of the types serves this order too, however many rows are of the types asked for.
bool is_in_key_order(const Plan& plan) {
  if (plan.order.empty()) return true;
  const Path& first = plan.order.front().path;
  return first.source == 0 && first.hops.empty() && first.property->is_key;
}

}  // namespace

void Tables::limit_to_types(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts) {
  if (!entity.type_column || !entity.parent) return;
  if (const auto* type = is_root(table) ? type_of_index() : nullptr) tell_type(*type, table, parts);
  const Sql column = emit::column(table, *entity.type_column), usual_one = usual_column(table, *entity.type_column);
  Condition limit{of_types(column, names(entity.final_types()))};
  const bool has_no_rows = plan.grouping || (is_count && has_all_asked(plan));
  const bool is_in_index = spelling.dialect == Dialect::Sqlite && is_root(table) && has_no_rows;
  if (is_in_index || usual_one.text() != column.text()) limit = of_numbers(entity, table);
  const bool is_cheap = is_in_key_order(plan) && std::all_of(plan.joins.begin(), plan.joins.end(), joins_by_index);
  parts.push_back(is_cheap ? std::move(limit) : usual(std::move(limit)));
}

// Types that have the number of another, or may have it, are told by their names too.
Condition Tables::of_numbers(const catalog::Entity& entity, const Sql& table) {
  const Sql column = emit::column(table, *entity.type_column);
  std::set<int> numbers;
  for (const catalog::Entity* type : entity.final_types()) numbers.insert(short_number(type->name));
  std::vector<Sql> values;
  for (const int number : numbers) values.push_back(Sql().integer(static_cast<std::size_t>(number)));
  Condition numbered{short_number(column) << " IN (" << list(values) << ")"};
  const auto all = entity.root().final_types();
  const bool is_shared = std::any_of(all.begin(), all.end(), [&](const catalog::Entity* type) {
    return !type->is_or_extends(entity) && numbers.count(short_number(type->name)) != 0;
  });
  if (!is_shared && !has_strangers(entity.root())) return numbered;
  return all_of({std::move(numbered), {of_types(Sql("+") << column, names(entity.final_types()))}});
}

const catalog::Entity* Tables::type_of_index() const {
  if (way == Way::Sorted) return type_led_by(plan, sought);
  if (plan.grouping) return type_of_groups(plan);
  return in_order ? catalog::type_of(*in_order->index, *plan.entity) : nullptr;
}

// As the condition of the index says it (storage::partial_clause), and only where the rows are found by it: SQLite
// takes what is said twice for rarer than what is said once, and would sort all rows of the type. So does PostgreSQL,
// which knows from the limit itself that an index of the searched type serves.
void Tables::tell_type(const catalog::Entity& type, const Sql& table, std::vector<Condition>& parts) const {
  const bool is_postgres = spelling.dialect == Dialect::PostgreSql;
  if (is_postgres && &type == plan.entity) return;
  const Sql column = emit::column(table, *type.type_column);
  parts.push_back(usual({of_types(is_postgres ? column : Sql("+ +") << column, names(type.final_types()))}));
}

}  // namespace callisto::query::emit
