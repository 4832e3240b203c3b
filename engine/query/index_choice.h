// Which index of several properties (catalog::Index) serves a search: by what the filter compares with ==, and then by
// the order of the page. Pure; any thread.
#pragma once

#include "engine/query/plan.h"

#include <optional>
#include <vector>

namespace callisto::query {

// A term of the filter that asks one property of the searched record to equal one of several constants.
struct OneOfSeveral {
  const Predicate* term = nullptr;  // of the filter's `&&`, or the filter itself
  std::vector<ConstantRef> values;  // of which no two are the same literal
};

struct IndexChoice {
  const catalog::Index* index = nullptr;
  std::size_t equal = 0;             // parts of it that the filter asks to be equal
  std::size_t null = 0;              // of them those that it asks to be null
  std::vector<OneOfSeveral> walked;  // what takes a walk for each of its values; empty: one walk in order is enough
};

// The one with most equal parts that gives the plan's order, or none. With several walks only where no single one does
// as well, and not more than are worth it.
std::optional<IndexChoice> index_in_order(const Plan& plan);

// The rows of a plan that has an order may be walked in it, at least by its first property.
bool order_has_index(const Plan& plan);

// One walk has the plan's order behind a value of `first`, which every row that may be found has.
bool has_order_behind(const Plan& plan, const catalog::Property& first);

// The index has the property among the parts that stand in front of the order.
bool is_led_by(const IndexChoice& choice, const catalog::Property& property);

// The filter with each of `walked` bound to one of its values, for every combination: no record satisfies two of them,
// and together they are the filter.
std::vector<Predicate> filters_of_walks(const Plan& plan, const std::vector<OneOfSeveral>& walked);

}  // namespace callisto::query
