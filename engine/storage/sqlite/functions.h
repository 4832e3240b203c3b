// What the SQL of engine/query relies on, registered on every connection: collation `folded`, and contains_folded,
// starts_with_folded, ends_with_folded(text, needle) -> 1 or 0, NULL if one of them is NULL. The needle is already
// folded. Other programs get them from libcallisto_sqlite.so (extension.cc).
#pragma once

#include <sqlite3.h>

namespace callisto::storage {

int register_functions(sqlite3* db);  // SQLite's result code

}  // namespace callisto::storage
