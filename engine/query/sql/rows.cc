#include "engine/query/sql/rows.h"

#include "engine/query/index_choice.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/barrier.h"
#include "engine/query/sql/position.h"
#include "engine/query/sql/predicate.h"
#include "engine/query/sql/substrings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace callisto::query::emit {

namespace {

Sql number_of(std::int64_t value) {
  const auto size = static_cast<std::size_t>(value);
  return value < 0 ? Sql("-").integer(std::size_t{0} - size) : Sql().integer(size);
}

}  // namespace

std::vector<Condition> of_states(const Sql& table, const catalog::Property& state, const States& states) {
  const Sql value = column(table, state);
  std::vector<Sql> numbers;
  for (const std::int64_t each : states.known) numbers.push_back(number_of(each));
  if (numbers.size() == 1) return {{Sql(value) << " = " << numbers.front()}};
  if (!numbers.empty()) return {{Sql(value) << " IN (" << list(numbers) << ")"}};
  std::vector<Condition> parts;
  if (states.from) parts.push_back({Sql(value) << " >= " << number_of(*states.from)});
  if (states.to) parts.push_back({Sql(value) << " <= " << number_of(*states.to)});
  if (parts.empty()) parts.push_back({Sql(value) << " IS NULL"});
  return parts;
}

bool is_own_key(const SortKey& key) {
  return key.path.source == 0 && key.path.hops.empty() && key.path.property->is_key;
}

namespace {

bool is_led(const Plan& plan) {
  const auto terms = terms_of(plan);
  return has_seek(plan) || std::any_of(terms.begin(), terms.end(), [](const Predicate* term) {
           const catalog::Property* lookup = looked_through(*term);
           return lookup && has_own_index(*lookup);
         });
}

// Where all rows of a table are sorted, SQLite takes every index for a help, since each has the key behind its parts:
// it read a million rows through that of the identifiers.
bool is_tie_of_sorted(const Tables& tables, const SortKey& key) {
  const Plan& plan = tables.plan;
  const bool is_tie = &key != &plan.order.front() && is_own_key(key);
  if (!is_tie || tables.spelling.dialect != Dialect::Sqlite || order_has_index(plan)) return false;
  return !plan.entity->parent && !is_led(plan);
}

}  // namespace

Sql sort_value(const Tables& tables, From& from, const SortKey& key) {
  const catalog::Property& property = *key.path.property;
  const bool is_first = tables.way == Way::Sorted && &key == &tables.plan.order.front();
  const bool is_hidden = is_first || is_tie_of_sorted(tables, key);
  const Sql value = is_hidden ? Sql("+") << from.column(key.path) : from.column(key.path);
  if (catalog::is_text(property.type)) return tables.spelling.text(value);
  return property.type == catalog::DataType::Boolean ? tables.spelling.flag_value(property, value) : value;
}

std::vector<Sql> nulls_of_order(const Tables& tables, const Sql& root) {
  std::vector<Sql> nulls;
  if (tables.spelling.dialect == Dialect::Sqlite || !tables.in_order || tables.in_order->null == 0) return nulls;
  const auto& parts = tables.in_order->index->parts;
  const bool is_backward = tables.plan.order.front().descending != parts[tables.in_order->equal].descending;
  const auto terms = terms_of(tables.plan);
  for (std::size_t i = 0; i < tables.in_order->equal; ++i) {
    const bool is_null = std::any_of(terms.begin(), terms.end(), [&](const Predicate* term) {
      const catalog::Property* null = term->kind == Predicate::Kind::IsNull ? equal_property(*term) : nullptr;
      return null && same_column(null, parts[i].property);
    });
    const bool descending = parts[i].descending != is_backward;
    if (is_null) nulls.push_back(tables.spelling.order(column(root, *parts[i].property), descending, false));
  }
  return nulls;
}

Sql ordered(Tables& tables, From& from) {
  std::vector<Sql> keys = nulls_of_order(tables, from.root());
  for (const SortKey& key : tables.plan.order)
    keys.push_back(tables.spelling.order(sort_value(tables, from, key), key.descending, is_own_key(key)));
  return keys.empty() ? Sql() : Sql(" ORDER BY ") << list(keys);
}

namespace {

// PostgreSQL plans a statement once for all values of its parameters, where that promises to be as good as planning it
// for each. Without the number of rows asked for it cannot: it would sort what an index has in order.
bool tells_rows(const Tables& tables) {
  constexpr std::int64_t largest_told = 1000;
  const std::int64_t top = tables.plan.rows_to_read();
  return tables.spelling.dialect == Dialect::PostgreSql && top >= 0 && top <= largest_told;
}

// A walk would ask all rows in vain where no record is as a term asks of what a lookup leads to. Records with states
// are too many to be looked at for that.
bool may_be_in_vain(const Predicate& term) {
  const catalog::Property* lookup = looked_through(term);
  return lookup && !lookup->target->states;
}

std::vector<Condition> must_be_somewhere(Tables& tables) {
  std::vector<Condition> conditions;
  for (const Predicate* term : terms_of(tables.plan))
    if (may_be_in_vain(*term)) conditions.push_back(somewhere(tables, *term));
  return conditions;
}

// A page of none ends at once; SQLite would ask a term of WHERE for each row, which PostgreSQL asks once.
Sql rows_to_read(Tables& tables) {
  const Sql rows = tables.parameter(Paging::Top);
  if (tables.plan.grouping || tables.spelling.dialect == Dialect::PostgreSql) return rows;
  auto conditions = must_be_somewhere(tables);
  if (conditions.empty()) return rows;
  return Sql("CASE WHEN ") << all_of(std::move(conditions)).sql << " THEN " << rows << " ELSE 0 END";
}

}  // namespace

Sql paged(Tables& tables) {
  Sql page(" LIMIT ");
  if (tells_rows(tables)) page.integer(static_cast<std::size_t>(tables.plan.rows_to_read()));
  else page << rows_to_read(tables);
  if (tells_rows(tables) && tables.plan.skip == 0) return page;
  return page << " OFFSET " << tables.parameter(Paging::Skip);
}

Sql up_to_page(Tables& tables) {
  if (tables.plan.skip == 0) return paged(tables);
  return Sql(" LIMIT ") << tables.parameter(Paging::End);
}

namespace {

void limit_to_parent(Tables& tables, const Sql& root, std::size_t key_index, std::vector<Condition>& parts) {
  if (!tables.scope.parent) return;
  const Parent& parent = *tables.scope.parent;
  parts.push_back({column(root, *parent.link) << " = " << tables.parameter(KeyBinding{key_index})});
  if (parent.type_link) parts.push_back(tables.one_of(column(root, *parent.type_link), parent.types));
}

void append(std::vector<Condition>& parts, std::vector<Condition> more) {
  parts.insert(parts.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

// What the filter and the place where the page begins ask of the rows within the session's limit.
void ask(Tables& tables, From& from, const std::optional<Predicate>& filter, std::optional<Stretch> stretch,
         std::vector<Condition>& parts) {
  std::vector<Condition> always;
  Asked asked;
  const Limit limit = limit_of(tables, *tables.plan.entity, from.root(), Row::Searched, always);
  const bool is_limited = !limit.conditions.empty() || !from.inner_limits().empty();
  if (filter && is_limited) {
    const Terms terms = terms_of(tables, *filter, limit.is_rule);
    asked = {conditions(tables, from, terms.leading), conditions(tables, from, terms.covered),
             conditions(tables, from, terms.others)};
  } else if (filter) {
    asked.leading.push_back(condition(tables, from, *filter));
  }
  if (stretch) {
    Position position = position_of(tables, from, *stretch);
    append(limit.is_rule ? asked.behind : asked.leading, std::move(position.leading));
    append(is_limited ? asked.behind : asked.leading, std::move(position.behind));
  }
  append_asked(limit, from.inner_limits(), std::move(asked), parts);
  parts.insert(parts.end(), always.begin(), always.end());
}

}  // namespace

Sql filtered(Tables& tables, From& from, const std::optional<Predicate>& filter, bool hide_deleted,
             std::vector<Condition> parts, std::optional<Stretch> stretch) {
  const Plan& plan = tables.plan;
  const std::size_t keys = parts.size();
  if (tables.reach == Reach::Candidates) parts.push_back(among_candidates(tables, from.root()));
  if (tables.spelling.dialect == Dialect::PostgreSql) append(parts, must_be_somewhere(tables));
  ask(tables, from, filter, stretch, parts);
  if (hide_deleted && !tables.scope.with_deleted) tables.hide_deleted(*plan.entity, from.root(), parts);
  tables.limit_to_types(*plan.entity, from.root(), parts);
  tables.limit_to_plan_partition(*plan.entity, from.root(), parts);
  limit_to_parent(tables, from.root(), keys, parts);
  return parts.empty() ? Sql() : Sql(" WHERE ") << all_of(std::move(parts)).sql;
}

Sql filtered(Tables& tables, From& from, std::optional<Stretch> stretch) {
  return filtered(tables, from, tables.plan.filter, !tables.plan.names_deleted, {}, stretch);
}

}  // namespace callisto::query::emit
