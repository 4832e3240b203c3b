// Included before all else by what is compiled for libcallisto_sqlite.so: it calls the SQLite of whoever loads it.
#pragma once

#include <sqlite3ext.h>

SQLITE_EXTENSION_INIT3
