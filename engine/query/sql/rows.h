// The clauses that find the searched rows of one FROM: what they satisfy, their order, and where the page is in it.
// Pure; any thread.
#pragma once

#include "engine/query/index_states.h"
#include "engine/query/sql/tables.h"

#include <optional>
#include <vector>

namespace callisto::query::emit {

// WHERE: `parts`, what the filter asks for and every limit on the searched rows. Empty where there is none.
Sql filtered(Tables& tables, From& from, const std::optional<Predicate>& filter, bool hide_deleted,
             std::vector<Condition> parts, std::optional<Stretch> stretch = std::nullopt);
Sql filtered(Tables& tables, From& from, std::optional<Stretch> stretch = std::nullopt);  // the plan's own filter

// The row of `table` is in one of the states. Their numbers stand in the text: the catalog's, not a request's, and
// PostgreSQL plans once for all requests where it knows that a range between states has no rows.
std::vector<Condition> of_states(const Sql& table, const catalog::Property& state, const States& states);

bool is_own_key(const SortKey& key);  // which is never null
Sql sort_value(const Tables& tables, From& from, const SortKey& key);
// PostgreSQL takes what is null for no constant of an index's order, unless the order begins with it.
std::vector<Sql> nulls_of_order(const Tables& tables, const Sql& root);
Sql ordered(Tables& tables, From& from);  // ORDER BY; empty where there is no order

Sql paged(Tables& tables);       // LIMIT and OFFSET
Sql up_to_page(Tables& tables);  // all rows to the end of the page

}  // namespace callisto::query::emit
