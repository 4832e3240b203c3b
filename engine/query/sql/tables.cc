#include "engine/query/sql/tables.h"

#include "engine/catalog/partitions.h"
#include "engine/query/bind_types.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/barrier.h"
#include "engine/query/sql/compare.h"
#include "engine/query/sql/predicate.h"

#include <algorithm>
#include <utility>

namespace callisto::query::emit {
namespace {

const catalog::Property& named(const catalog::Entity& entity, std::string_view name) {
  return *entity.find_property(name);
}

Sql in_parentheses(const std::vector<Sql>& values) { return Sql("(") << list(values) << ")"; }

}  // namespace

Statement finished(Tables& tables, Sql sql) { return {std::move(sql), tables.take_bindings()}; }

Sql column(const Sql& table, const catalog::Property& property) {
  if (property.column.text().empty()) return Sql("NULL");  // which the database does not have yet
  return Sql(table) << "." << property.column;
}

Tables::Tables(const Plan& the_plan, const Scope& the_scope, Dialect dialect, Reach the_reach, Way the_way)
    : plan(the_plan),
      scope(the_scope),
      reach(the_reach),
      way(the_way),
      in_order(index_in_order(the_plan)),
      spelling{dialect} {}

Sql Tables::value(const Sql& table, const catalog::Property& property, bool guarded) {
  const RowLimit* limit = guarded && scope.fields ? scope.fields->find(property) : nullptr;
  if (!limit) return emit::column(table, property);
  return Sql("CASE WHEN ") << granted(*limit, table).sql << " THEN " << emit::column(table, property) << " END";
}

bool Tables::is_root(const Sql& table) const {
  return std::find(roots_.begin(), roots_.end(), table.text()) != roots_.end();
}

Sql Tables::new_table() { return Sql().alias('t', tables_++); }

Sql Tables::new_root() {
  const Sql table = new_table();
  roots_.push_back(table.text());
  return table;
}

Sql Tables::parameter(Binding binding) {
  bindings_.push_back(std::move(binding));
  return Sql().parameter(bindings_.size());
}

const std::vector<Sql>& Tables::partitions() {
  while (partitions_.size() < *scope.partitions) partitions_.push_back(parameter(PartitionBinding{partitions_.size()}));
  return partitions_;
}

Condition Tables::one_of(const Sql& value, const std::vector<std::string>& texts) {
  if (texts.empty()) return any_of({});
  std::vector<Sql> parameters;
  for (const std::string& text : texts) parameters.push_back(parameter(TextBinding{text}));
  return {Sql(value) << " IN " << in_parentheses(parameters)};
}

// Without statistics SQLite takes every indexed equality for a rare one: it would fetch and sort nearly the whole table
// by the index of a condition that most rows meet, where thirty rows in the index of the order are the answer.
Condition Tables::usual(Condition condition) const {
  if (spelling.dialect != Dialect::Sqlite) return condition;
  return {Sql("likely(") << condition.sql << ")", condition.depth, Condition::Form::Atom};
}

// A table may mix types that are partitioned with types that are not; rows of the latter are never limited.
Condition Tables::where_partitioned(const catalog::Entity& entity, const Sql& table, Condition limit) {
  if (entity.partitioned) return limit;
  return any_of(
      {one_of(emit::column(table, *entity.type_column), names(catalog::open_types(entity))), std::move(limit)});
}

namespace {

// The same question: of one text, two entities may ask two where a condition that it names is a child's own.
bool asks_same(const Plan* left, const Plan* right) {
  return left->filter == right->filter && left->constants == right->constants;
}

bool is_same(const RowLimit& left, const RowLimit& right) {
  return left.all == right.all && (left.all || std::equal(left.any_of.begin(), left.any_of.end(), right.any_of.begin(),
                                                          right.any_of.end(), asks_same));
}

}  // namespace

Condition Tables::granted(const RowLimit& limit, const Sql& table) {
  if (limit.all) return all_of({});
  std::vector<Condition> rules;
  is_in_rule_ = true;
  for (const Plan* rule : limit.any_of) rules.push_back(condition(*this, *rule, table));
  is_in_rule_ = false;
  return any_of(std::move(rules));
}

void Tables::limit_to_rules(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts) {
  if (!scope.access || is_in_rule_) return;
  static const RowLimit none{true, nullptr, {}};
  std::vector<std::pair<const RowLimit*, std::vector<const catalog::Entity*>>> groups;
  for (const catalog::Entity* type : entity.final_types()) {
    const auto found = scope.access->find(type);
    const RowLimit& limit = found == scope.access->end() ? none : found->second;
    auto group =
        std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return is_same(*each.first, limit); });
    if (group == groups.end()) group = groups.insert(group, {&limit, {}});
    group->second.push_back(type);
  }
  if (groups.size() == 1) {
    if (!groups.front().first->all) parts.push_back(granted(*groups.front().first, table));
    return;
  }
  std::vector<Condition> any;
  for (const auto& [limit, types] : groups) {
    std::vector<Condition> both{one_of(emit::column(table, *entity.type_column), names(types))};
    if (!limit->all) both.push_back(granted(*limit, table));
    any.push_back(all_of(std::move(both)));
  }
  parts.push_back(any_of(std::move(any)));
}

bool Tables::has_strangers(const catalog::Entity& entity) const {
  return scope.with_unknown_types && scope.with_unknown_types->count(&entity.root()) != 0;
}

bool Tables::is_limited(const catalog::Entity& entity) const {
  if (has_strangers(entity)) return true;
  if (scope.partitions && has_partitioned_rows(entity)) return true;
  if (!scope.access || is_in_rule_) return false;
  const auto types = entity.final_types();
  return std::any_of(types.begin(), types.end(), [&](const catalog::Entity* type) {
    const auto limit = scope.access->find(type);
    return limit != scope.access->end() && !limit->second.all;
  });
}

bool Tables::hides_rows(const catalog::Entity& entity) const {
  if (is_limited(entity)) return true;
  const auto holders = holders_of(*plan.catalog, entity);
  return std::any_of(holders.begin(), holders.end(),
                     [&](const catalog::Holder& holder) { return is_limited(*holder.parent); });
}

namespace {

// The property by which an index finds the rows of a rule; null: none does.
const catalog::Property* sought_by(const Plan* rule) {
  for (const Predicate* term : terms_of(*rule)) {
    const auto* path = std::get_if<Path>(&term->left);
    const bool is_equal = term->kind == Predicate::Kind::Compare && term->op == CompareOp::Equal &&
                          std::holds_alternative<ConstantRef>(term->right);
    const bool is_equality = is_equal || term->kind == Predicate::Kind::OneOf;
    if (is_equality && path && path->hops.empty() && has_index(*path->property)) return path->property;
  }
  return nullptr;
}

}  // namespace

const catalog::Property* Tables::property_of_limit(const catalog::Entity& entity) const {
  const catalog::Property* found = nullptr;
  for (const catalog::Entity* type : entity.final_types()) {
    const auto limit = scope.access->find(type);
    if (limit == scope.access->end()) return nullptr;
    for (const Plan* rule : limit->second.any_of) {
      const catalog::Property* property = sought_by(rule);
      if (!property || (found && !same_column(found, property))) return nullptr;
      found = property;
    }
  }
  return found;
}

bool Tables::has_parents_of_rule(const catalog::Entity& entity) const {
  const auto holders = holders_of(*plan.catalog, entity);
  if (holders.size() != 1) return false;
  const auto& [parent, list] = holders.front();
  if (value_term(plan, *list->link)) return false;  // the filter leads to fewer
  const bool is_led = list->link->column == entity.key.front()->column || has_index(*list->link);
  return is_led && !list->type_link && entity.is_or_extends(*list->entity) && limit_has_index(*parent);
}

bool Tables::limit_has_index(const catalog::Entity& entity) const {
  if (!scope.access || is_in_rule_) return false;
  if (has_parents_of_rule(entity)) return true;
  const auto types = entity.final_types();
  return std::all_of(types.begin(), types.end(), [&](const catalog::Entity* type) {
    const auto limit = scope.access->find(type);
    return limit != scope.access->end() && !limit->second.all && !limit->second.any_of.empty() &&
           std::all_of(limit->second.any_of.begin(), limit->second.any_of.end(), sought_by);
  });
}

// What the engine asks for itself may hang on deleted rows.
bool Tables::hides_deleted(const catalog::Holder& holder, Row row) const {
  return row == Row::Searched && holder.parent->deletable && is_part(*holder.list) && !plan.names_deleted &&
         !scope.with_deleted;
}

// API rule 2.14: history and attachments are visible exactly where their parent is, whoever asks for them and how.
void Tables::limit_to_parents(const catalog::Entity& entity, const Sql& table, Row row, std::vector<Condition>& parts) {
  for (const catalog::Holder& holder : holders_of(*plan.catalog, entity))
    if (leads_from_parents(entity, table)) parts.push_back(below_visible(holder, entity, table, row));
    else if (is_limited(*holder.parent) || hides_deleted(holder, row))
      parts.push_back(usual(below_visible(holder, entity, table, row)));
}

bool Tables::leads_from_parents(const catalog::Entity& entity, const Sql& table) const {
  return is_root(table) && has_parents_of_rule(entity);
}

// A walk in order soon has its page. PostgreSQL would make a list first of all the records that the session sees,
// unless the subquery has an OFFSET.
bool Tables::asks_each_parent() const {
  const bool is_page = !is_count && !plan.grouping && may_choose_way(plan);
  return spelling.dialect == Dialect::PostgreSql && is_page && order_has_index(plan);
}

// The row hangs on no record of this kind, or on one that the session may see.
Condition Tables::below_visible(const catalog::Holder& holder, const catalog::Entity& entity, const Sql& table,
                                Row row) {
  const auto& [parent, list] = holder;
  const Sql above = new_table();
  const Sql key = emit::column(above, *parent->key.front()), link = value_of(table, *list->link);
  const bool leads = leads_from_parents(entity, table);
  std::vector<Condition> on;
  if (!leads) on.push_back({Sql(key) << " = " << link});
  if (hides_deleted(holder, row)) hide_deleted(*parent, above, on);
  limit_to_session(*parent, above, row, on);
  if (leads)
    return {Sql(link) << " IN (SELECT " << key << " FROM " << parent->table << " " << above << " WHERE "
                      << all_of(std::move(on)).sql << ")"};
  Sql exists("EXISTS (SELECT 1 FROM ");
  exists << parent->table << " " << above << " WHERE " << all_of(std::move(on)).sql;
  exists << (asks_each_parent() ? SqlLiteral(" OFFSET 0)") : SqlLiteral(")"));
  std::vector<Condition> any;
  if (!entity.is_or_extends(*list->entity)) any.push_back(none_of(table, *entity.type_column, *list->entity));
  if (list->type_link) any.push_back(none_of(table, *list->type_link, *parent));
  any.push_back({exists});
  return any_of(std::move(any));
}

Sql Tables::value_of(const Sql& table, const catalog::Property& property) {
  if (is_root(table))
    for (const Predicate* term : terms_of(plan)) {
      const auto* path = std::get_if<Path>(&term->left);
      const auto* constant = std::get_if<ConstantRef>(&term->right);
      if (term->kind == Predicate::Kind::Compare && term->op == CompareOp::Equal && constant && path && is_own(*path) &&
          path->property->column == property.column)
        return parameter(ConstantBinding{constant->index});
    }
  return emit::column(table, property);
}

Condition Tables::none_of(const Sql& table, const catalog::Property& type, const catalog::Entity& entity) {
  return {Sql("NOT (") << one_of(emit::column(table, type), names(entity.final_types())).sql << ")"};
}

void Tables::limit_to_session(const catalog::Entity& entity, const Sql& table, Row row, std::vector<Condition>& parts) {
  limit_to_access(entity, table, parts);
  limit_to_parents(entity, table, row, parts);
  limit_to_partitions(entity, table, parts);
}

void Tables::limit_to_access(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts) {
  if (has_strangers(entity))
    parts.push_back(usual(one_of(emit::column(table, *entity.type_column), names(entity.final_types()))));
  limit_to_rules(entity, table, parts);
}

void Tables::limit_to_partitions(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts) {
  if (!scope.partitions || !has_partitioned_rows(entity)) return;
  if (partitions().empty()) return parts.push_back(where_partitioned(entity, table, any_of({})));
  const Sql partition = usual_column(table, named(entity, catalog::system::partition));
  parts.push_back(usual(where_partitioned(entity, table, {Sql(partition) << " IN " << in_parentheses(partitions_)})));
}

// Of what most rows meet: where a term of the filter leads to few, no index of all these is of use.
Sql Tables::usual_column(const Sql& table, const catalog::Property& property) const {
  const bool is_led = way == Way::Free && spelling.dialect == Dialect::Sqlite && is_root(table) && has_seek(plan);
  const Sql plain = by_no_index(*this, table, property);
  return is_led ? Sql("+") << plain : plain;
}

void Tables::limit_to_plan_partition(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts) {
  if (!plan.partition || !has_partitioned_rows(entity)) return;
  Sql limit = emit::column(table, named(entity, catalog::system::partition));
  limit << " = " << parameter(PlanPartitionBinding{});
  parts.push_back(usual(where_partitioned(entity, table, {limit})));
}

void Tables::hide_deleted(const catalog::Entity& entity, const Sql& table, std::vector<Condition>& parts) {
  if (!entity.deletable) return;
  const catalog::Property& deleted = named(entity, catalog::system::is_deleted);
  parts.push_back(usual({spelling.flag_value(deleted, emit::column(table, deleted)) << " = 0"}));
}

}  // namespace callisto::query::emit
