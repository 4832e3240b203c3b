// The keys of a page, where they are found before its rows are read (decision 0045). Pure; any thread.
#pragma once

#include "engine/query/sql/tables.h"

namespace callisto::query::emit {

// SELECT of them, as k, to the end of the page; empty where all is found in one go. `from`: what the rows themselves
// are read from, complete.
Sql keys_of_page(Tables& tables, const From& from, Stretch stretch);

}  // namespace callisto::query::emit
