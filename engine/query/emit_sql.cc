#include "engine/query/emit_sql.h"

#include "engine/query/by_lookup.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_states.h"
#include "engine/query/sql/groups.h"
#include "engine/query/sql/keys.h"
#include "engine/query/sql/one_plan.h"
#include "engine/query/sql/rows.h"
#include "engine/query/sql/substrings.h"
#include "engine/query/sql/tables.h"

#include <limits>
#include <utility>

namespace callisto::query {

bool may_choose_way(const Plan& plan) {
  constexpr std::int64_t largest_page = 1000;
  return plan.joins.empty() && !plan.order.empty() && plan.top.value_or(0) <= largest_page;
}

bool may_find_keys_first(const Plan& plan) { return plan.entity->key.size() == 1 && may_choose_way(plan); }

namespace {

using emit::Condition;
using emit::From;
using emit::list;
using emit::Tables;

Sql selected(From& from, const Plan& plan) {
  std::vector<Sql> columns;
  for (const Path& path : plan.columns) columns.push_back(from.column(path));
  return columns.empty() ? Sql("1") : list(columns);
}

Statement groups(Tables& tables) {
  From from(tables);
  const Sql columns = emit::group_columns(tables, from);
  const Sql where = filtered(tables, from);
  const Sql by = emit::group_by(tables, from), order = emit::order_of_groups(tables, from);
  const Sql page = paged(tables);
  return emit::finished(tables, Sql("SELECT ") << columns << " FROM " << from.text() << where << by << order << page);
}

Statement number_of_groups(Tables& tables, From& from, const Sql& where) {
  const Sql by = emit::group_by(tables, from);
  Sql sql("SELECT COUNT(*) FROM (SELECT COUNT(*)");
  return emit::finished(tables, sql << " FROM " << from.text() << where << by << ") AS g");
}

Statement page(Tables& tables, Stretch stretch) {
  const Plan& plan = tables.plan;
  From from(tables);
  const Sql columns = selected(from, plan);
  const Sql keys = keys_of_page(tables, from, stretch);
  if (!keys.empty()) {
    const Sql order = ordered(tables, from);
    Sql sql("SELECT ");
    sql << columns << " FROM (" << keys << ") AS page CROSS JOIN " << from.text() << " WHERE "
        << emit::column(from.root(), *plan.entity->key.front()) << " = page.k";
    return emit::finished(tables, sql << order);
  }
  const Sql where = filtered(tables, from, stretch);
  const Sql page = paged(tables), order = ordered(tables, from);
  return emit::finished(tables, Sql("SELECT ") << columns << " FROM " << from.text() << where << order << page);
}

}  // namespace

Statement emit_rows(const Plan& plan, const Scope& scope, Dialect dialect, Reach reach, Stretch stretch, Way way,
                    std::size_t seek) {
  Tables tables(plan, scope, dialect, reach, way);
  if (way == Way::Sorted)
    if (const auto all = seeks_beside_order(plan); seek < all.size()) tables.sought = all[seek];
  if (plan.grouping) return groups(tables);
  Statement rows = page(tables, stretch);
  rows.sql.plan_once(emit::page_has_one_plan(tables));
  return rows;
}

Statement emit_rows_of_keys(const Plan& plan, const Scope& scope, Dialect dialect) {
  Tables tables(plan, scope, dialect);
  From from(tables);
  const Sql keys = tables.parameter(KeyBinding{0});
  const Sql columns = selected(from, plan), order = ordered(tables, from);
  Sql sql("SELECT ");
  sql << columns << " FROM (" << tables.spelling.elements(keys) << ") AS page CROSS JOIN " << from.text() << " WHERE "
      << emit::column(from.root(), *plan.entity->key.front()) << " = page.k" << order;
  return emit::finished(tables, std::move(sql));
}

namespace {

std::optional<StatesBetween> states_of_count(const Tables& tables) {
  if (tables.reach != Reach::All || tables.scope.parent) return std::nullopt;
  return tables.limit_has_index(*tables.plan.entity) ? std::nullopt : states_before_range(tables.plan);
}

Statement count_in_states(Tables& tables, const StatesBetween& states) {
  Sql sum("SELECT ");
  for (const States& each : states.together) {
    if (&each != &states.together.front()) sum << " + ";
    From from(tables);
    auto parts = emit::of_states(from.root(), *states.state, each);
    const Sql where = filtered(tables, from, tables.plan.filter, !tables.plan.names_deleted, std::move(parts));
    sum << "(SELECT COUNT(*) FROM " << from.text() << where << ")";
  }
  return emit::finished(tables, sum);
}

Statement count(Tables& tables) {
  if (const auto states = states_of_count(tables)) return count_in_states(tables, *states);
  From from(tables);
  const Sql where = filtered(tables, from);
  if (tables.plan.grouping) return number_of_groups(tables, from, where);
  return emit::finished(tables, Sql("SELECT COUNT(*) FROM ") << from.text() << where);
}

}  // namespace

Statement emit_count(const Plan& plan, const Scope& scope, Dialect dialect, Reach reach,
                     const std::vector<const Predicate*>& sought) {
  Tables tables(plan, scope, dialect, reach, sought.empty() ? Way::Free : Way::Sorted);
  tables.sought = sought;
  tables.in_order.reset();  // a count has no order
  tables.is_count = true;
  Statement counted = count(tables);
  counted.sql.plan_once(emit::count_has_one_plan(tables));
  return counted;
}

Statement emit_groups(const Plan& plan, const Scope& scope, Dialect dialect,
                      const std::vector<const Predicate*>& sought) {
  Tables tables(plan, scope, dialect, Reach::All, Way::Sorted);
  tables.sought = sought;
  return groups(tables);
}

Statement emit_count_of_pass(const Plan& plan, const Scope& scope) {
  Tables tables(plan, scope, Dialect::Sqlite);
  tables.in_order.reset();
  tables.is_one_pass = true;
  return count(tables);
}

Statement emit_groups_of_pass(const Plan& plan, const Scope& scope) {
  Tables tables(plan, scope, Dialect::Sqlite);
  tables.is_one_pass = true;
  return groups(tables);
}

Statement emit_record(const Plan& plan, const Scope& scope, Dialect dialect) {
  Tables tables(plan, scope, dialect);
  From from(tables);
  const Sql columns = selected(from, plan);
  std::vector<Condition> keys;
  for (const catalog::Property* part : plan.entity->key) {
    const Sql key = tables.parameter(KeyBinding{keys.size()});
    keys.push_back({emit::column(from.root(), *part) << " = " << key});
  }
  const Sql where = filtered(tables, from, plan.filter, true, std::move(keys));
  return emit::finished(tables, Sql("SELECT ") << columns << " FROM " << from.text() << where);
}

std::int64_t bound_number(Paging paging, const Plan& plan) {
  if (paging == Paging::Top) return plan.rows_to_read();
  if (paging == Paging::Skip) return plan.skip;
  constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
  return plan.rows_to_read() > most - plan.skip ? most : plan.rows_to_read() + plan.skip;
}

Value bound_value(const ConstantBinding& binding, const Value& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return std::int64_t{*flag};
  if (const auto* time = std::get_if<DateTime>(&value)) return time->ms;
  if (const auto* number = std::get_if<Decimal>(&value)) return number->digits;
  const auto* words = std::get_if<std::string>(&value);
  return words ? Value(emit::in_form(binding.form, *words)) : value;
}

}  // namespace callisto::query
