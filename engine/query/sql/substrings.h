// Searching by the index of substrings. SQLite: a table of FTS5 beside the entity's holds the trigrams of all its
// searchable texts, folded, and another lists rows that it does not know yet (storage/sqlite/substrings.h). What both
// name are candidates: among them are all rows that hold the literal; the filter itself still decides. A session that
// is limited to partitions is told of the candidates in these alone; one that a rule of access limits has no use of the
// index, since the time of an answer would tell what the rows hold that it does not see. Pure; any thread.
#pragma once

#include "engine/query/sql/tables.h"

#include <string>
#include <string_view>

namespace callisto::query::emit {

// The filter holds only for rows with a literal of three characters or more in a searchable property.
bool has_candidates(const Plan& plan, const Scope& scope);
// The same of one term of it.
bool has_words(const Plan& plan, const Predicate& term);
// SELECT of the candidates' keys; only where has_candidates().
Sql candidates(Tables& tables);
// The row of `table` is one of them.
Condition among_candidates(Tables& tables, const Sql& table);

std::string in_form(TextForm form, const std::string& words);

}  // namespace callisto::query::emit
