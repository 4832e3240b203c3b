// The index of substrings of a table in SQLite: "table~trigrams", of FTS5, knows the trigrams of the texts, folded and
// as one; "table~unindexed" lists rows written since, which triggers note, with the texts that the index has for them.
// In FTS5 a single row is expensive and many at once are cheap, so new rows are indexed later, many at once: the new
// text replaces the old one, a deleted row has none. Until then a search looks at those rows too. The index names
// candidates, numbered by partition (base/text_numbers.h), and the query itself decides. PostgreSQL's pg_trgm does all
// of this by itself.
#pragma once

#include "engine/storage/dialect.h"

namespace callisto::storage {

Sql create_substring_index(const SqlIdentifier& table, const IndexSpec& index);  // a script; all rows wait
Sql drop_substring_triggers(const SqlIdentifier& index);                         // of an index of that name

}  // namespace callisto::storage
