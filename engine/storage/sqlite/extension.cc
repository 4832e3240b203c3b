// libcallisto_sqlite.so: lets other programs read, verify and write the database of a desk, whose indexes are in the
// order of the collation `folded`. sqlite3> .load /usr/lib/callisto/libcallisto_sqlite
#include "engine/storage/sqlite/functions.h"

const sqlite3_api_routines* sqlite3_api = nullptr;

// By this name SQLite finds it, whatever the file is called.
extern "C" __attribute__((visibility("default"))) int sqlite3_extension_init(sqlite3* db, char**,
                                                                             const sqlite3_api_routines* api) {
  sqlite3_api = api;
  return callisto::storage::register_functions(db);
}
