// Pages in the order of a lookup, or of what it leads to, found one value of the lookup after the other: an index leads
// to the rows of each, and the page is full after the first few. Without that all rows are sorted (decision 0045).
// Pure; any thread.
#pragma once

#include "engine/query/emit_sql.h"
#include "engine/query/plan.h"

#include <memory>
#include <optional>
#include <vector>

namespace callisto::query {

// Each finds the keys of the page's rows that have one value of the lookup, in the order of what follows it.
struct ByLookup {
  std::shared_ptr<const Plan> of_value;  // the value is its last constant
  std::shared_ptr<const Plan> of_null;
  // Behind the place where the page before ended, for the values that the lookup may have there; null: it is the first.
  std::shared_ptr<const Plan> behind_value, behind_null;
  std::vector<const Predicate*> lead;  // terms of the filter in front of the lookup in an index; of the plan
  bool is_by_key = false;   // what follows is the key alone, so that the rows of several values are easily merged
  bool descending = false;  // by that key
};

// Nothing where the plan's order is another, no index leads to all that is asked for, or it asks for so few that they
// are soon sorted.
std::optional<ByLookup> by_lookup(const Plan& plan, const Scope& scope, Dialect dialect);

// The values that rows have, `most` at most, null apart, in the order of the page and from the place where the one
// before ended: the value; a number that is the same for those that are equal in the order; whether they are null
// there; whether the page before ended among them; how many steps it took in the index, where `most_steps` say that
// there are more.
Statement emit_values_of_lookup(const Plan& plan, const Scope& scope, const ByLookup& way, Dialect dialect,
                                std::size_t most, std::size_t most_steps);

// The rows of a JSON array of keys, which is the first KeyBinding, in the plan's order.
Statement emit_rows_of_keys(const Plan& plan, const Scope& scope, Dialect dialect);

// Each counts rows, `most` at most, that terms of the filter lead to: if they are few, they are sorted sooner.
std::vector<Statement> emit_probes_of_filter(const Plan& plan, const Scope& scope, Dialect dialect, std::size_t most);

}  // namespace callisto::query
