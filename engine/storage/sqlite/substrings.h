// The index of substrings of a table in SQLite: "table~trigrams", of FTS5, knows the trigrams of the texts, folded and
// as one; "table~unindexed" lists rows written since, which triggers note, with the texts that the index knows of them.
// FTS5 takes one row at a time dearly and many cheaply, so what was written is indexed later, many rows at once: the
// old text goes, the new one comes, a deleted row has none. Until then a search looks at those rows too. The index
// names candidates, numbered by partition (base/text_numbers.h), and the query that asked decides. PostgreSQL's pg_trgm
// does all of this by itself.
#pragma once

#include "engine/storage/dialect.h"

namespace callisto::storage {

Sql create_substring_index(const SqlIdentifier& table, const IndexSpec& index);  // a script; all rows wait
Sql drop_substring_triggers(const SqlIdentifier& index);                         // of an index of that name

}  // namespace callisto::storage
