#include "engine/query/sql/barrier.h"

#include "engine/query/index_choice.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/substrings.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace callisto::query::emit {
namespace {

using Kind = Predicate::Kind;

// More would be a long way in front of the barrier.
constexpr std::size_t most_leading = 8;
constexpr std::size_t most_values = 32;  // of one property, joined by ||

// A property is compared with constants, in a way that an index may answer.
bool is_with_constants(const Predicate& term) {
  if (term.kind == Kind::OneOf) return term.values.size() <= most_values;
  return term.kind == Kind::Compare && term.op != CompareOp::NotEqual &&
         std::holds_alternative<ConstantRef>(term.right);
}

// Of a term that compares a property of the searched record with constants; null for others. A text that begins so lies
// between two texts, and null is a value to an index.
const catalog::Property* compared_property(const Predicate& term) {
  const auto* path = std::get_if<Path>(&term.left);
  if (!path || !is_own(*path)) return nullptr;
  if (term.kind == Kind::Text)
    return term.text_op == TextOp::StartsWith && has_own_index(*path->property) ? path->property : nullptr;
  const bool is_compared = is_with_constants(term) || term.kind == Kind::IsNull;
  return is_compared && has_index(*path->property) ? path->property : nullptr;
}

bool is_equality(const Predicate& term) {
  return term.kind == Kind::OneOf || (term.kind == Kind::Compare && term.op == CompareOp::Equal);
}

// An equality with one value, or with one of several of the same property.
const catalog::Property* property_of_equality(const Predicate& term) {
  if (term.kind != Kind::Or) return is_equality(term) ? compared_property(term) : nullptr;
  if (term.children.size() > most_values) return nullptr;
  const catalog::Property* first = property_of_equality(term.children.front());
  const bool same = first && std::all_of(term.children.begin(), term.children.end(), [&](const Predicate& child) {
                      return is_equality(child) && compared_property(child) == first;
                    });
  return same ? first : nullptr;
}

// One row at the most is found by it.
bool is_unique(const Predicate& term, const catalog::Entity& entity) {
  const catalog::Property* property = property_of_equality(term);
  if (!property) return false;
  return property->name == catalog::system::id || (entity.key.size() == 1 && property == entity.key.front());
}

// What indexes find, at a price, so that one of them is enough: one for each of several properties, a subquery, a text
// in PostgreSQL's index of substrings.
bool is_dear_lead(const Tables& tables, const Predicate& term) {
  if (term.kind == Kind::Or)
    return term.children.size() <= most_leading &&
           std::all_of(term.children.begin(), term.children.end(),
                       [](const Predicate& child) { return property_of_equality(child) != nullptr; });
  const auto* path = std::get_if<Path>(&term.left);
  if (!path || path->source != 0 || path->guarded) return false;
  if (term.kind == Kind::Text && path->hops.empty())
    return tables.spelling.dialect == Dialect::PostgreSql && has_words(tables.plan, term);
  const bool is_test = term.kind == Kind::Text || is_with_constants(term);
  return is_test && !path->hops.empty() && has_index(*path->hops.front());
}

// Comparisons of different properties that have an index.
std::vector<const Predicate*> comparisons(const std::vector<const Predicate*>& all) {
  std::vector<const Predicate*> leading;
  std::vector<std::pair<const catalog::Property*, CompareOp>> taken;
  for (const Predicate* term : all) {
    const catalog::Property* property = property_of_equality(*term);
    if (!property) property = compared_property(*term);
    if (!property || leading.size() == most_leading) continue;
    const std::pair key(property, term->kind == Kind::Compare ? term->op : CompareOp::Equal);
    if (std::find(taken.begin(), taken.end(), key) != taken.end()) continue;
    taken.push_back(key);
    leading.push_back(term);
  }
  return leading;
}

Condition within(const Condition& limit, const Condition& term) {
  Sql sql("CASE WHEN ");
  sql << limit.sql << " THEN " << term.sql << " END";
  constexpr int before_then = 5;  // symbols: CASE, no operand, WHEN, the limit, THEN
  return {std::move(sql), std::max(limit.depth + 3, term.depth + before_then)};
}

// The rows of one type stand in the order of the page in an index that begins with the type, and no other term leads to
// fewer.
bool is_type_before_order(const Tables& tables, const catalog::Property& property) {
  const Plan& plan = tables.plan;
  const catalog::Entity& entity = *plan.entity;
  if (!entity.type_column || !same_column(entity.type_column, &property) || entity.final_types().size() != 1)
    return false;
  if (tables.way != Way::InOrder || (tables.in_order && tables.in_order->equal > 0)) return false;
  bool is_before = false;
  for_each_index(entity, [&](const catalog::Index& index) {
    is_before = is_before || (index.parts.size() > 1 && same_column(index.parts[0].property, &property) &&
                              same_column(index.parts[1].property, plan.order.front().path.property));
  });
  return is_before;
}

}  // namespace

Sql by_no_index(const Tables& tables, const Sql& table, const catalog::Property& property) {
  const Sql plain = column(table, property);
  if (tables.spelling.dialect != Dialect::Sqlite || !tables.is_root(table)) return plain;
  if (tables.way == Way::Free) return plain;
  if (tables.way == Way::Sorted && !tables.sought.empty())
    return asks_for(tables.plan, tables.sought, property) ? plain : Sql("+") << plain;
  const SortKey& first = tables.plan.order.front();
  const bool is_of_order =
      first.path.property->column == property.column || (tables.in_order && is_led_by(*tables.in_order, property));
  if (is_of_order == (tables.way == Way::InOrder) || is_type_before_order(tables, property)) return plain;
  return Sql("+") << plain;
}

Sql where_null(const Tables& tables, const Sql& table, const catalog::Property& property) {
  const bool is_searched = tables.spelling.dialect == Dialect::Sqlite && tables.is_root(table);
  if (is_searched && !tables.sought.empty()) {
    const bool is_sought = std::any_of(tables.sought.begin(), tables.sought.end(), [&](const Predicate* term) {
      const catalog::Property* asked = term->kind == Kind::IsNull ? equal_property(*term) : nullptr;
      return asked && same_column(asked, &property);
    });
    return is_sought ? column(table, property) : Sql("+") << column(table, property);
  }
  const auto& choice = tables.in_order;
  const bool is_ordered_by_values = choice && choice->equal > choice->null;
  const bool leads =
      !is_searched || !is_ordered_by_values || is_led_by(*choice, property) || is_behind_values(tables.plan, property);
  return leads ? column(table, property) : Sql("+") << column(table, property);
}

bool has_index(const catalog::Property& named) {
  const catalog::Property& property = named.mirror_of ? *named.mirror_of : named;
  return property.is_key || property.indexed || property.in_index || property.name == catalog::system::id ||
         (property.type == catalog::DataType::Lookup && !property.unindexed);
}

Limit limit_of(Tables& tables, const catalog::Entity& entity, const Sql& table, Row row,
               std::vector<Condition>& parts) {
  if (!tables.hides_rows(entity)) {
    tables.limit_to_session(entity, table, row, parts);
    return {};
  }
  Limit limit;
  limit.is_rule = tables.limit_has_index(entity);
  tables.limit_to_access(entity, table, limit.conditions);
  if (limit.is_rule) limit.by_index = limit.conditions;
  tables.limit_to_parents(entity, table, row, limit.conditions);
  if (tables.leads_from_parents(entity, table)) limit.by_index = limit.conditions;
  const auto before = static_cast<std::ptrdiff_t>(limit.conditions.size());
  tables.limit_to_partitions(entity, table, limit.conditions);
  limit.by_index.insert(limit.by_index.end(), limit.conditions.begin() + before, limit.conditions.end());
  return limit;
}

void append_asked(const Limit& limit, const std::vector<Condition>& further, Asked asked,
                  std::vector<Condition>& parts) {
  const auto append = [&parts](const std::vector<Condition>& more) {
    parts.insert(parts.end(), more.begin(), more.end());
  };
  append(asked.leading);
  std::vector<Condition> visible = limit.conditions;
  visible.insert(visible.end(), further.begin(), further.end());
  const bool is_limited = !visible.empty(), has_behind = !asked.covered.empty() || !asked.behind.empty();
  const Condition when = all_of(std::move(visible));
  if (has_behind && is_limited) {
    for (const Condition& term : asked.covered) parts.push_back(within(when, term));
    if (!asked.behind.empty()) parts.push_back(within(when, all_of(std::move(asked.behind))));
  } else {
    append(asked.covered);
    append(asked.behind);
  }
  append(is_limited && has_behind ? limit.by_index : limit.conditions);
}

Terms terms_of(const Tables& tables, const Predicate& filter, bool limit_is_rule) {
  const auto is_among = [](const std::vector<const Predicate*>& terms, const Predicate* term) {
    return std::find(terms.begin(), terms.end(), term) != terms.end();
  };
  Terms result;
  const auto all = terms_of(filter);
  const auto unique = std::find_if(all.begin(), all.end(),
                                   [&](const Predicate* term) { return is_unique(*term, *tables.plan.entity); });
  if (unique != all.end()) {
    result.leading = {*unique};
  } else if (limit_is_rule) {
    if (const auto* property = tables.property_of_limit(*tables.plan.entity))
      result.leading = led_behind(tables.plan, *property);
    result.covered = comparisons(all);
    std::erase_if(result.covered, [&](const Predicate* term) { return is_among(result.leading, term); });
  } else {
    result.leading = comparisons(all);
    const auto dear =
        std::find_if(all.begin(), all.end(), [&](const Predicate* term) { return is_dear_lead(tables, *term); });
    if (dear != all.end()) result.leading.push_back(*dear);
  }
  std::copy_if(all.begin(), all.end(), std::back_inserter(result.others), [&](const Predicate* term) {
    return !is_among(result.leading, term) && !is_among(result.covered, term);
  });
  return result;
}

}  // namespace callisto::query::emit
