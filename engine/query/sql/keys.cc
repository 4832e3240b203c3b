#include "engine/query/sql/keys.h"

#include "engine/query/index_choice.h"
#include "engine/query/index_states.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/rows.h"

#include <algorithm>
#include <utility>

namespace callisto::query::emit {
namespace {

// PostgreSQL weighs in which order to join so many tables (join_collapse_limit), and would join a ninth, such as the
// keys of the page, to all that the others hold.
constexpr std::size_t most_weighed = 8;

// A rule leads to the session's rows, and these are sorted, which SQLite does with all that they hold.
bool sorts_rows_of_rule(const Tables& tables) {
  if (tables.spelling.dialect != Dialect::Sqlite || !tables.limit_has_index(*tables.plan.entity)) return false;
  const catalog::Property* first = tables.property_of_limit(*tables.plan.entity);
  return first && !has_order_behind(tables.plan, *first);
}

// The index that gives the order tells no more than its first property, of which many rows have one value: these are
// sorted.
bool sorts_ties(const Plan& plan) {
  const catalog::Property& first = *plan.order.front().path.property;
  const catalog::Property* state = plan.entity->states ? plan.entity->states->property : nullptr;
  const bool is_tied = first.type == catalog::DataType::Lookup || (state && same_column(state, &first));
  if (!is_tied || plan.order.size() < 2) return false;
  const auto choice = index_in_order(plan);
  if (!choice) return false;
  const auto& parts = choice->index->parts;
  const std::size_t next = choice->equal + 1;
  return next < parts.size() && !same_column(parts[next].property, plan.order[1].path.property);
}

// The page's keys are found first and only its rows read, where rows would be skipped, or sorted with all that they
// hold or relations show of them (decision 0045). An indexed order from the first row on is faster in one go.
bool finds_keys_first(const Tables& tables, const From& from) {
  const Plan& plan = tables.plan;
  if (!may_find_keys_first(plan)) return false;
  if (plan.skip > 0 || tables.way == Way::Sorted || sorts_rows_of_rule(tables)) return true;
  if (tables.spelling.dialect == Dialect::PostgreSql && from.relations() + 1 >= most_weighed) return true;
  if (order_has_index(plan)) return tables.spelling.dialect == Dialect::Sqlite && sorts_ties(plan);
  return std::any_of(plan.columns.begin(), plan.columns.end(), [](const Path& path) { return !path.hops.empty(); });
}

Sql page_of_keys(Tables& tables, Stretch stretch) {
  From from(tables);
  const Sql where = filtered(tables, from, stretch);
  const Sql order = ordered(tables, from);
  Sql select("SELECT ");
  select << column(from.root(), *tables.plan.entity->key.front()) << " AS k"
         << " FROM " << from.text() << where << order;
  return select << paged(tables);
}

// Of several values each has its rows in order: the walks are merged, and end with the page. Who sees by a rule what
// few rows he has finds those by it.
std::vector<Predicate> walks_in_order(const Tables& tables) {
  const Plan& plan = tables.plan;
  if (tables.way == Way::Sorted) return {};
  const bool are_own =
      std::all_of(plan.order.begin(), plan.order.end(), [](const SortKey& key) { return is_own(key.path); });
  if (!may_find_keys_first(plan) || !are_own || tables.reach != Reach::All) return {};
  if (tables.limit_has_index(*plan.entity)) return {};
  const auto choice = index_in_order(plan);
  if (!choice || choice->walked.empty()) return {};
  return filters_of_walks(plan, choice->walked);
}

// One walk: the keys of its rows, and what they are ordered by.
Sql walk(Tables& tables, From& from, const std::optional<Predicate>& filter, std::vector<Condition> parts,
         Stretch stretch) {
  const Sql where = filtered(tables, from, filter, !tables.plan.names_deleted, std::move(parts), stretch);
  Sql select("SELECT ");
  select << column(from.root(), *tables.plan.entity->key.front()) << " AS k";
  std::size_t number = 0;
  for (const SortKey& key : tables.plan.order)
    select << ", " << sort_value(tables, from, key) << " AS " << Sql().alias('o', number++);
  return select << " FROM " << from.text() << where;
}

Sql order_of_walks(const Tables& tables, std::vector<Sql> order = {}) {
  const std::size_t nulls = order.size();
  for (const SortKey& key : tables.plan.order)
    order.push_back(tables.spelling.order(Sql().alias('o', order.size() - nulls), key.descending, is_own_key(key)));
  return Sql(" ORDER BY ") << list(order);
}

// SQLite merges walks as it reads them. PostgreSQL sorts what an index has in order by its first keys alone, but not
// what it merges: each walk is sorted by itself, and ends where the page does.
void add_walk(Tables& tables, const From& from, const Sql& rows, std::vector<Sql>& walks) {
  if (tables.spelling.dialect == Dialect::Sqlite) {
    walks.push_back(rows);
    return;
  }
  Sql walk("SELECT * FROM (");
  walk << rows << order_of_walks(tables, nulls_of_order(tables, from.root())) << up_to_page(tables) << ") AS ";
  walks.push_back(walk.alias('w', walks.size()));
}

Sql merged(Tables& tables, const std::vector<Sql>& walks) {
  Sql all("SELECT k FROM (");
  for (const Sql& rows : walks) {
    if (&rows != &walks.front()) all << " UNION ALL ";
    all << rows;
  }
  return all << order_of_walks(tables) << paged(tables) << ") AS merged";
}

Sql merged_keys(Tables& tables, const std::vector<Predicate>& filters, Stretch stretch) {
  std::vector<Sql> walks;
  for (const Predicate& filter : filters) {
    From from(tables);
    add_walk(tables, from, walk(tables, from, filter, {}, stretch), walks);
  }
  return merged(tables, walks);
}

// A walk in each state.
Sql merged_states(Tables& tables, const StatesBetween& states, Stretch stretch) {
  std::vector<Sql> walks;
  for (const States& each : states.apart) {
    From from(tables);
    auto parts = of_states(from.root(), *states.state, each);
    add_walk(tables, from, walk(tables, from, tables.plan.filter, std::move(parts), stretch), walks);
  }
  return merged(tables, walks);
}

// Where walks in order, each of a state, find the page.
std::optional<StatesBetween> states_of_page(const Tables& tables) {
  if (!may_find_keys_first(tables.plan) || tables.reach != Reach::All || tables.scope.parent) return std::nullopt;
  const Others others = tables.spelling.dialect == Dialect::Sqlite ? Others::PassedOver : Others::None;
  return tables.limit_has_index(*tables.plan.entity) ? std::nullopt : states_before_order(tables.plan, others);
}

}  // namespace

Sql keys_of_page(Tables& tables, const From& from, Stretch stretch) {
  if (const auto states = states_of_page(tables)) return merged_states(tables, *states, stretch);
  if (const auto walks = walks_in_order(tables); !walks.empty()) return merged_keys(tables, walks, stretch);
  return finds_keys_first(tables, from) ? page_of_keys(tables, stretch) : Sql();
}

}  // namespace callisto::query::emit
