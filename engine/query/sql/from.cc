#include "engine/query/sql/tables.h"

#include "engine/query/sql/barrier.h"
#include "engine/query/sql/compare.h"
#include "engine/query/sql/predicate.h"

#include <algorithm>
#include <utility>

namespace callisto::query::emit {
namespace {

// SQLite looks for the best order of inner joins in a time that grows with their power: seconds for thirty. Beyond a
// few it takes them as they stand, which is what its CROSS JOIN means.
bool has_fixed_order(const Tables& tables) {
  constexpr std::ptrdiff_t most_planned = 10;
  const auto& joins = tables.plan.joins;
  return tables.spelling.dialect == Dialect::Sqlite &&
         std::count_if(joins.begin(), joins.end(), [](const Join& join) { return join.inner; }) > most_planned;
}

}  // namespace

bool joins_by_index(const Join& join) {
  return std::any_of(join.on.begin(), join.on.end(),
                     [](const JoinOn& on) { return on.target_property->is_key || has_index(*on.target_property); });
}

From::From(Tables& tables) : tables_(tables) {
  sources_.push_back(tables.new_root());
  text_ << tables.plan.entity->table << " " << root();
  if (tables.is_one_pass) text_ << " NOT INDEXED";
  for (const Join& join : tables.plan.joins) add(join);
}

From::From(Tables& tables, const catalog::Entity& entity) : tables_(tables) {
  sources_.push_back(tables.new_table());
  text_ << entity.table << " " << root();
}

Condition From::pair(const JoinOn& pair, const Sql& table) {
  const auto target = comparand(tables_.spelling, *pair.target_property, emit::column(table, *pair.target_property));
  const auto* path = std::get_if<Path>(&pair.source);
  const auto source = path ? comparand(tables_.spelling, *path->property, column(*path))
                           : comparand(tables_, std::get<ConstantRef>(pair.source));
  return compared(tables_.spelling, CompareOp::Equal, target, source);
}

// Rows that constants choose are chosen once, among those that the session sees: not for each row that they are joined
// to, which would tell by the time of all of them whether there are others.
Condition From::chosen(const Join& join, const Sql& table) {
  const Sql inner = tables_.new_table();
  std::vector<Condition> where;
  for (const JoinOn& each : join.on)
    if (std::holds_alternative<ConstantRef>(each.source)) where.push_back(pair(each, inner));
  tables_.limit_to_session(*join.target, inner, Row::Searched, where);
  const Condition all = all_of(std::move(where));
  const catalog::Property& key = *join.target->key.front();
  Sql sql = emit::column(table, key);
  sql << " IN (SELECT " << emit::column(inner, key) << " FROM " << join.target->table << " " << inner << " WHERE "
      << all.sql << ")";
  return {sql, all.depth + 9};
}

// What the ON clause of an earlier line needs stands before it. Null joins nothing, as in SQL. Without an index that
// serves a join SQLite makes one for the statement. Of several columns it takes those with which most rows agree as
// well, or their index instead; a '+' leaves it the columns that the client named.
void From::add(const Join& join) {
  const Sql table = tables_.new_table();
  std::vector<Condition> on;
  const bool choose = join.target->key.size() == 1 && tables_.hides_rows(*join.target);
  bool has_constant = false;
  for (const JoinOn& each : join.on) {
    const bool is_constant = std::holds_alternative<ConstantRef>(each.source);
    has_constant = has_constant || is_constant;
    if (!choose || !is_constant) on.push_back(pair(each, table));
  }
  if (choose && has_constant) on.push_back(chosen(join, table));
  const bool makes_index = tables_.spelling.dialect == Dialect::Sqlite && !joins_by_index(join);
  const Sql usual = makes_index ? Sql("+") << table : table;
  tables_.hide_deleted(*join.target, usual, on);
  tables_.limit_to_types(*join.target, usual, on);
  const Limit limit = limit_of(tables_, *join.target, table, Row::Searched, on);
  on.insert(on.end(), limit.conditions.begin(), limit.conditions.end());
  if (join.inner) inner_limits_.insert(inner_limits_.end(), limit.conditions.begin(), limit.conditions.end());
  const SqlLiteral inner = has_fixed_order(tables_) ? SqlLiteral(" CROSS JOIN ") : SqlLiteral(" JOIN ");
  text_ << (join.inner ? inner : SqlLiteral(" LEFT JOIN ")) << join.target->table << " " << table << " ON "
        << all_of(std::move(on)).sql;
  sources_.push_back(table);
}

Sql From::column(const Path& path) {
  if (!path.guarded) return emit::column(related(path.source, path.hops, false), *path.property);
  const auto known =
      std::find_if(guarded_.begin(), guarded_.end(), [&](const auto& each) { return each.first == path; });
  if (known != guarded_.end()) return known->second;
  const Sql table = related(path.source, path.hops, true);
  return guarded_.emplace_back(path, tables_.value(table, *path.property, true)).second;
}

// A looked-up row that is deleted stays readable; one outside the session's partitions is null (API rule 2.9).
const Sql& From::related(std::size_t source, const std::vector<const catalog::Property*>& hops, bool guarded) {
  if (hops.empty()) return sources_[source];
  const auto known = std::find_if(related_.begin(), related_.end(), [&](const Related& relation) {
    return relation.source == source && relation.hops == hops && relation.guarded == guarded;
  });
  if (known != related_.end()) return known->table;
  const catalog::Property& lookup = *hops.back();
  const Sql from = related(source, {hops.begin(), hops.end() - 1}, guarded);
  const Sql link = tables_.value(from, lookup, guarded);
  const Sql table = tables_.new_table();
  std::vector<Condition> on{{emit::column(table, *lookup.target->key.front()) << " = " << link}};
  tables_.limit_to_session(*lookup.target, table, Row::LookedUp, on);
  text_ << " LEFT JOIN " << lookup.target->table << " " << table << " ON " << all_of(std::move(on)).sql;
  related_.push_back({source, hops, guarded, table});
  return related_.back().table;
}

}  // namespace callisto::query::emit
