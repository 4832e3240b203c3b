#include "engine/query/sql/one_plan.h"

#include "engine/query/index_seek.h"
#include "engine/query/index_states.h"
#include "engine/query/index_terms.h"

#include <algorithm>

namespace callisto::query::emit {
namespace {

using Kind = Predicate::Kind;

// Compares what the row itself has; whoever reads that needs nothing else.
bool is_of_row(const Predicate& term) {
  const auto* path = std::get_if<Path>(&term.left);
  const bool is_compared =
      term.kind == Kind::Compare || term.kind == Kind::OneOf || term.kind == Kind::IsNull || term.kind == Kind::Flag;
  return is_compared && path && is_own(*path);
}

bool are_of_rows(const Plan& plan) {
  const auto terms = terms_of(plan);
  return std::all_of(terms.begin(), terms.end(), [](const Predicate* term) { return is_of_row(*term); });
}

// Compares with constants what the index of the order has of each row, so that the walk reads no row in vain.
bool is_in_walk(const Tables& tables, const Predicate& term) {
  const bool is_with_another = term.kind == Kind::Compare && std::holds_alternative<Path>(term.right);
  if (!tables.in_order || !is_of_row(term) || is_with_another) return false;
  return holds(*tables.in_order->index, *std::get<Path>(term.left).property);
}

// The index that gives the order has whatever the term asks, or the term is a range of it.
bool is_of_walk(const Tables& tables, const Predicate& term) {
  const Plan& plan = tables.plan;
  std::vector<ConstantRef> ignored;
  const catalog::Property* equal = equal_property(term);
  if (!equal) equal = listed_property(plan, term, ignored);
  if (equal && tables.in_order && is_led_by(*tables.in_order, *equal)) return true;
  if (is_in_walk(tables, term)) return true;
  const catalog::Property* first = plan.order.front().path.property;
  const auto* path = std::get_if<Path>(&term.left);
  if (term.kind == Kind::Text)
    return term.text_op == TextOp::StartsWith && path && is_own(*path) && path->property == first;
  const catalog::Property* asked = indexable_property(plan, term);
  return asked && same_column(asked, first);
}

bool is_walk(const Tables& tables) {
  const Plan& plan = tables.plan;
  if (plan.order.empty() || !is_own(plan.order.front().path)) return false;
  if (states_before_order(plan)) return true;
  const catalog::Property& first = *plan.order.front().path.property;
  if (!tables.in_order && !first.is_key && !has_own_index(first)) return false;
  const auto terms = terms_of(plan);
  return std::all_of(terms.begin(), terms.end(), [&](const Predicate* term) { return is_of_walk(tables, *term); });
}

bool is_plain(const Tables& tables) {
  return tables.plan.joins.empty() && !tables.plan.grouping && !tables.scope.parent && tables.way != Way::Sorted;
}

bool is_of_session(const Tables& tables) {
  return tables.limit_has_index(*tables.plan.entity) && are_of_rows(tables.plan);
}

}  // namespace

bool page_has_one_plan(const Tables& tables) {
  if (!is_plain(tables)) return false;
  return tables.limit_has_index(*tables.plan.entity) ? is_of_session(tables) : is_walk(tables);
}

bool count_has_one_plan(const Tables& tables) {
  return is_plain(tables) && (is_of_session(tables) || states_before_range(tables.plan));
}

}  // namespace callisto::query::emit
