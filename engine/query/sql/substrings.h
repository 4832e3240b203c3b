// Searching by the index of substrings. SQLite: an FTS5 table beside the entity's holds the trigrams of all its
// searchable texts, folded, and another table lists rows that the first does not know yet
// (storage/sqlite/substrings.h). Both name candidates, among which are all rows that contain the literal; the filter
// itself still decides. A session that is limited to partitions gets only their candidates; a session that an access
// rule limits does not use the index, since the time of an answer would reveal what unseen rows contain. Pure; any
// thread.
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
