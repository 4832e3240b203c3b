#include "engine/query/by_lookup.h"

#include "engine/catalog/index_rows.h"
#include "engine/query/index_choice.h"
#include "engine/query/index_seek.h"
#include "engine/query/index_terms.h"
#include "engine/query/sql/substrings.h"
#include "engine/query/sql/tables.h"

#include <algorithm>
#include <utility>

namespace callisto::query {
namespace {

using Kind = Predicate::Kind;
using catalog::Property;

// The lookup by which the plan's order begins; null: it begins otherwise.
const Property* lookup_of_order(const Plan& plan) {
  if (plan.order.empty()) return nullptr;
  const Path& first = plan.order.front().path;
  if (first.source != 0 || first.guarded || first.hops.size() > 1) return nullptr;
  const Property* lookup = first.hops.empty() ? first.property : first.hops.front();
  return lookup->type == catalog::DataType::Lookup && lookup->target->key.size() == 1 ? lookup : nullptr;
}

// It has all rows that have a value. Null comes first in ascending order: then it has those without one as well.
bool has_rows(const Plan& plan, const catalog::Index& index, const Property& lookup) {
  const bool has_all = index.set.empty() && !catalog::is_of_values_alone(plan.entity->root(), index);
  const bool has_values =
      std::all_of(index.set.begin(), index.set.end(), [&](const Property* set) { return same_column(set, &lookup); });
  return has_all || (plan.order.front().descending && has_values);
}

// The terms that lead to the values of the lookup in an index of all types: each asks one value of a part in front of
// it.
std::optional<Seek> lead_of_lookup(const Plan& plan, const Property& lookup) {
  std::optional<Seek> best;
  for (const catalog::Index& index : plan.entity->root().indexes) {
    Seek lead;
    for (const auto& part : index.parts) {
      const bool is_lookup = same_column(part.property, &lookup);
      if (is_lookup && has_rows(plan, index, lookup) && (!best || lead.size() < best->size())) best = lead;
      const Predicate* term = value_term(plan, *part.property);
      if (is_lookup || !term || term->kind != Kind::Compare) break;
      lead.push_back(term);
    }
  }
  return best;
}

// What the filter asks through a lookup, by words or of either of two properties leads to few, or is dear to ask for
// each value. Where it gives the value there is no choice.
bool has_terms_apart(const Plan& plan, const Property& lookup) {
  const auto terms = terms_of(plan);
  return std::any_of(terms.begin(), terms.end(), [&](const Predicate* term) {
    const Property* through = looked_through(*term);
    const Property* equal = equal_property(*term);
    const bool is_either = term->kind == Kind::Or && !indexable_property(plan, *term);
    const bool is_given = equal && same_column(equal, &lookup);
    return is_either || is_given || (through && has_own_index(*through)) || emit::has_words(plan, *term);
  });
}

// One walk has what follows the lookup in order too.
bool has_whole_order(const Plan& plan) {
  const auto choice = index_in_order(plan);
  if (!choice || plan.order.size() < 3 || !is_own(plan.order[1].path)) return false;
  const auto& parts = choice->index->parts;
  const std::size_t next = choice->equal + 1;
  return next < parts.size() && same_column(parts[next].property, plan.order[1].path.property);
}

bool is_worth(const Plan& plan, const Scope& scope, Dialect dialect, const Property& lookup) {
  if (!may_find_keys_first(plan) || plan.grouping || plan.names_deleted) return false;
  constexpr std::int64_t most_skipped = 1000;
  if (scope.parent || plan.skip > most_skipped || has_terms_apart(plan, lookup) || !lead_of_lookup(plan, lookup))
    return false;
  if (has_whole_order(plan)) return false;
  const emit::Tables tables(plan, scope, dialect);
  return !tables.limit_has_index(*plan.entity) && !tables.hides_rows(*lookup.target);
}

Predicate term_of(Kind kind, const Property& property) {
  Predicate term;
  term.kind = kind;
  term.left = Path{0, {}, &property};
  return term;
}

void add(std::optional<Predicate>& filter, Predicate term) {
  if (!filter) {
    filter = std::move(term);
    return;
  }
  Predicate all;
  all.kind = Kind::And;
  if (filter->kind == Kind::And) all.children = std::move(filter->children);
  else all.children.push_back(std::move(*filter));
  all.children.push_back(std::move(term));
  filter = std::move(all);
}

// The keys of the page in the order of what follows the lookup.
Plan plan_of_rest(const Plan& plan) {
  Plan rest;
  rest.catalog = plan.catalog;
  rest.entity = plan.entity;
  rest.filter = plan.filter;
  rest.lists = plan.lists;
  rest.order.assign(plan.order.begin() + 1, plan.order.end());
  rest.columns = {Path{0, {}, plan.entity->key.front()}};
  rest.key_columns = {0};
  rest.constants = plan.constants;
  rest.partition = plan.partition;
  rest.top = plan.rows_to_read() + plan.skip;
  return rest;
}

void move_behind(const Plan& plan, Plan& rest) {
  Predicate behind = term_of(Kind::Compare, *plan.entity->key.front());
  behind.op = plan.order.back().descending ? CompareOp::Less : CompareOp::Greater;
  behind.right = plan.after.back();
  add(rest.filter, std::move(behind));
}

std::shared_ptr<const Plan> of_null(const Plan& plan, const Property& lookup, bool is_behind) {
  Plan rest = plan_of_rest(plan);
  if (is_behind) move_behind(plan, rest);
  add(rest.filter, term_of(Kind::IsNull, lookup));
  return std::make_shared<const Plan>(std::move(rest));
}

std::shared_ptr<const Plan> of_value(const Plan& plan, const Property& lookup, bool is_behind) {
  Plan rest = plan_of_rest(plan);
  if (is_behind) move_behind(plan, rest);
  Constant value;
  value.value = std::int64_t{0};
  value.type = lookup.type;
  rest.constants.push_back(std::move(value));
  Predicate equal = term_of(Kind::Compare, lookup);
  equal.right = ConstantRef{rest.constants.size() - 1};
  add(rest.filter, std::move(equal));
  return std::make_shared<const Plan>(std::move(rest));
}

}  // namespace

std::optional<ByLookup> by_lookup(const Plan& plan, const Scope& scope, Dialect dialect) {
  const Property* lookup = lookup_of_order(plan);
  if (!lookup || !is_worth(plan, scope, dialect, *lookup)) return std::nullopt;
  ByLookup found;
  found.is_by_key = plan.order.size() == 2;
  found.descending = plan.order.back().descending;
  if (!plan.after.empty() && !found.is_by_key) return std::nullopt;
  found.lead = *lead_of_lookup(plan, *lookup);
  found.of_value = of_value(plan, *lookup, false);
  found.of_null = of_null(plan, *lookup, false);
  if (plan.after.empty()) return found;
  found.behind_value = of_value(plan, *lookup, true);
  found.behind_null = of_null(plan, *lookup, true);
  return found;
}

}  // namespace callisto::query
