#include "engine/query/emit_sql.h"

#include "engine/query/index_choice.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/barrier.h"
#include "engine/query/sql/compare.h"
#include "engine/query/sql/groups.h"
#include "engine/query/sql/position.h"
#include "engine/query/sql/predicate.h"
#include "engine/query/sql/substrings.h"
#include "engine/query/sql/tables.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

namespace callisto::query {

bool may_find_keys_first(const Plan& plan) {
  constexpr std::int64_t largest_page = 1000;
  return plan.joins.empty() && plan.entity->key.size() == 1 && !plan.order.empty() &&
         plan.top.value_or(0) <= largest_page;
}

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

bool is_own_key(const SortKey& key) {
  return key.path.source == 0 && key.path.hops.empty() && key.path.property->is_key;
}

Sql sort_value(const Tables& tables, From& from, const SortKey& key) {
  const catalog::Property& property = *key.path.property;
  const bool is_first = tables.way == Way::Sorted && &key == &tables.plan.order.front();
  const Sql value = is_first ? Sql("+") << from.column(key.path) : from.column(key.path);
  if (catalog::is_text(property.type)) return tables.spelling.text(value);
  return property.type == catalog::DataType::Boolean ? tables.spelling.flag_value(property, value) : value;
}

Sql ordered(Tables& tables, From& from) {
  std::vector<Sql> keys;
  for (const SortKey& key : tables.plan.order)
    keys.push_back(tables.spelling.order(sort_value(tables, from, key), key.descending, is_own_key(key)));
  return keys.empty() ? Sql() : Sql(" ORDER BY ") << list(keys);
}

// PostgreSQL plans a statement once for all values of its parameters, where that promises to be as good as planning it
// for each. Without the number of rows asked for it cannot: it would sort what an index has in order.
bool tells_rows(const Tables& tables) {
  constexpr std::int64_t largest_told = 1000;
  const std::int64_t top = tables.plan.rows_to_read();
  return tables.spelling.dialect == Dialect::PostgreSql && top >= 0 && top <= largest_told;
}

Sql paged(Tables& tables) {
  Sql page(" LIMIT ");
  if (tells_rows(tables)) page.integer(static_cast<std::size_t>(tables.plan.rows_to_read()));
  else page << tables.parameter(Paging::Top);
  if (tells_rows(tables) && tables.plan.skip == 0) return page;
  return page << " OFFSET " << tables.parameter(Paging::Skip);
}

// All rows to the end of the page.
Sql up_to_page(Tables& tables) {
  if (tables.plan.skip == 0) return paged(tables);
  return Sql(" LIMIT ") << tables.parameter(Paging::End);
}

void limit_to_parent(Tables& tables, const Sql& root, std::size_t key_index, std::vector<Condition>& parts) {
  if (!tables.scope.parent) return;
  const Parent& parent = *tables.scope.parent;
  parts.push_back({emit::column(root, *parent.link) << " = " << tables.parameter(KeyBinding{key_index})});
  if (parent.type_link) parts.push_back(tables.one_of(emit::column(root, *parent.type_link), parent.types));
}

void append(std::vector<Condition>& parts, std::vector<Condition> more) {
  parts.insert(parts.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// What the filter and the place where the page begins ask of the rows within the session's limit.
void ask(Tables& tables, From& from, const std::optional<Predicate>& filter, std::optional<Stretch> stretch,
         std::vector<Condition>& parts) {
  std::vector<Condition> always;
  emit::Asked asked;
  const emit::Limit limit = limit_of(tables, *tables.plan.entity, from.root(), emit::Row::Searched, always);
  const bool is_limited = !limit.conditions.empty() || !from.inner_limits().empty();
  if (filter && is_limited) {
    const emit::Terms terms = terms_of(tables, *filter, limit.is_rule);
    for (const Predicate* term : terms.leading) asked.leading.push_back(condition(tables, from, *term));
    for (const Predicate* term : terms.covered) asked.covered.push_back(condition(tables, from, *term));
    for (const Predicate* term : terms.others) asked.behind.push_back(condition(tables, from, *term));
  } else if (filter) {
    asked.leading.push_back(condition(tables, from, *filter));
  }
  if (stretch) {
    emit::Position position = position_of(tables, from, *stretch);
    append(limit.is_rule ? asked.behind : asked.leading, std::move(position.leading));
    append(is_limited ? asked.behind : asked.leading, std::move(position.behind));
  }
  append_asked(limit, from.inner_limits(), std::move(asked), parts);
  parts.insert(parts.end(), always.begin(), always.end());
}

// What the filter asks for and every limit on the searched rows, after `parts`.
Sql filtered(Tables& tables, From& from, const std::optional<Predicate>& filter, bool hide_deleted,
             std::vector<Condition> parts, std::optional<Stretch> stretch = std::nullopt) {
  const Plan& plan = tables.plan;
  const std::size_t keys = parts.size();
  if (tables.reach == Reach::Candidates) parts.push_back(emit::among_candidates(tables, from.root()));
  ask(tables, from, filter, stretch, parts);
  if (hide_deleted && !tables.scope.with_deleted) tables.hide_deleted(*plan.entity, from.root(), parts);
  tables.limit_to_types(*plan.entity, from.root(), parts);
  tables.limit_to_plan_partition(*plan.entity, from.root(), parts);
  limit_to_parent(tables, from.root(), keys, parts);
  return parts.empty() ? Sql() : Sql(" WHERE ") << all_of(std::move(parts)).sql;
}

Sql filtered(Tables& tables, From& from, std::optional<Stretch> stretch = std::nullopt) {
  return filtered(tables, from, tables.plan.filter, !tables.plan.names_deleted, {}, stretch);
}

Sql from_clause(const From& from) { return Sql(" FROM ") << from.text(); }

// PostgreSQL weighs in which order to join so many tables (join_collapse_limit), and would join a ninth, such as the
// keys of the page, to all that the others hold.
constexpr std::size_t most_weighed = 8;

// The page's keys are found first and only its rows read, where rows would be skipped, or sorted with all that
// relations show of them (decision 0045). An indexed order from the first row on is faster in one go.
bool finds_keys_first(const Tables& tables, const From& from) {
  const Plan& plan = tables.plan;
  if (!may_find_keys_first(plan)) return false;
  if (plan.skip > 0 || tables.way == Way::Sorted) return true;
  if (tables.spelling.dialect == Dialect::PostgreSql && from.relations() + 1 >= most_weighed) return true;
  const Path& first = plan.order.front().path;
  const bool order_has_index =
      first.hops.empty() && !first.guarded &&
      (first.property->is_key || first.property->indexed || first.property->leads_index || index_in_order(plan));
  if (order_has_index) return false;
  return std::any_of(plan.columns.begin(), plan.columns.end(), [](const Path& path) { return !path.hops.empty(); });
}

Sql page_of_keys(Tables& tables, Stretch stretch) {
  From from(tables);
  const Sql where = filtered(tables, from, stretch);
  const Sql order = ordered(tables, from);
  Sql select("SELECT ");
  select << emit::column(from.root(), *tables.plan.entity->key.front()) << " AS k" << from_clause(from) << where
         << order;
  return select << paged(tables);
}

// Of several values each has its rows in order: the walks are merged, and end with the page. Who sees by a rule what
// few rows he has finds those by it.
std::vector<Predicate> walks_in_order(const Tables& tables) {
  const Plan& plan = tables.plan;
  if (tables.way == Way::Sorted) return {};
  const bool are_own = std::all_of(plan.order.begin(), plan.order.end(), [](const SortKey& key) {
    return key.path.source == 0 && key.path.hops.empty() && !key.path.guarded;
  });
  if (!may_find_keys_first(plan) || !are_own || tables.reach != Reach::All) return {};
  if (tables.limit_has_index(*plan.entity)) return {};
  const auto choice = index_in_order(plan);
  if (!choice || choice->walked.empty()) return {};
  return filters_of_walks(plan, choice->walked);
}

// One walk: the keys of its rows, and what they are ordered by.
Sql walk(Tables& tables, const Predicate& filter, Stretch stretch) {
  From from(tables);
  const Sql where = filtered(tables, from, filter, !tables.plan.names_deleted, {}, stretch);
  Sql select("SELECT ");
  select << emit::column(from.root(), *tables.plan.entity->key.front()) << " AS k";
  std::size_t number = 0;
  for (const SortKey& key : tables.plan.order)
    select << ", " << sort_value(tables, from, key) << " AS " << Sql().alias('o', number++);
  return select << from_clause(from) << where;
}

Sql order_of_walks(const Tables& tables) {
  std::vector<Sql> order;
  for (const SortKey& key : tables.plan.order)
    order.push_back(tables.spelling.order(Sql().alias('o', order.size()), key.descending, is_own_key(key)));
  return Sql(" ORDER BY ") << list(order);
}

// SQLite merges walks as it reads them. PostgreSQL sorts what an index has in order by its first keys alone, but not
// what it merges: each walk is sorted by itself, and ends where the page does.
Sql merged_keys(Tables& tables, const std::vector<Predicate>& walks, Stretch stretch) {
  const Sql order = order_of_walks(tables);
  Sql merged;
  std::size_t number = 0;
  for (const Predicate& each : walks) {
    if (number > 0) merged << " UNION ALL ";
    const Sql rows = walk(tables, each, stretch);
    if (tables.spelling.dialect == Dialect::Sqlite) merged << rows;
    else merged << "SELECT * FROM (" << rows << order << up_to_page(tables) << ") AS " << Sql().alias('w', number);
    ++number;
  }
  Sql sql("SELECT k FROM (");
  sql << merged << order;
  return sql << paged(tables) << ") AS merged";
}

// Of the page's rows; empty where all is found in one go.
Sql keys_of_page(Tables& tables, const From& from, Stretch stretch) {
  if (const auto walks = walks_in_order(tables); !walks.empty()) return merged_keys(tables, walks, stretch);
  return finds_keys_first(tables, from) ? page_of_keys(tables, stretch) : Sql();
}

Statement groups(Tables& tables) {
  From from(tables);
  const Sql columns = emit::group_columns(tables, from);
  const Sql where = filtered(tables, from);
  const Sql by = emit::group_by(tables, from), order = emit::order_of_groups(tables, from);
  const Sql page = paged(tables);
  return emit::finished(tables, Sql("SELECT ") << columns << from_clause(from) << where << by << order << page);
}

Statement number_of_groups(Tables& tables, From& from, const Sql& where) {
  const Sql by = emit::group_by(tables, from);
  Sql sql("SELECT COUNT(*) FROM (SELECT COUNT(*)");
  return emit::finished(tables, sql << from_clause(from) << where << by << ") AS g");
}

}  // namespace

Statement emit_rows(const Plan& plan, const Scope& scope, Dialect dialect, Reach reach, Stretch stretch, Way way,
                    std::size_t seek) {
  Tables tables(plan, scope, dialect, reach, way);
  if (way == Way::Sorted)
    if (const auto all = seeks_beside_order(plan); seek < all.size()) tables.sought = all[seek];
  if (plan.grouping) return groups(tables);
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
  return emit::finished(tables, Sql("SELECT ") << columns << from_clause(from) << where << order << page);
}

Statement emit_count(const Plan& plan, const Scope& scope, Dialect dialect, Reach reach, Way way) {
  Tables tables(plan, scope, dialect, reach, way);
  if (way == Way::Sorted) tables.sought = lead_of_cover(plan);
  tables.in_order.reset();  // a count has no order
  From from(tables);
  const Sql where = filtered(tables, from);
  if (plan.grouping) return number_of_groups(tables, from, where);
  return emit::finished(tables, Sql("SELECT COUNT(*)") << from_clause(from) << where);
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
  return emit::finished(tables, Sql("SELECT ") << columns << from_clause(from) << where);
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
