// SQLite's result codes as Errors: 503 for temporary ones (busy, interrupted), 500 for the rest. Driver messages and
// SQL go to log_detail only. The thread that owns the connection.
#pragma once

#include "engine/base/error.h"

#include <sqlite3.h>

#include <string_view>

namespace callisto::storage {

// The error of the last call on `db`, which returned `code`. `doing` is for the log: the SQL text or what was tried.
Error sqlite_error(sqlite3* db, int code, std::string_view doing);

// What to do with a file that is damaged, for the log.
inline constexpr const char* damage_advice =
    "Stop the server, see what `callisto check --database` tells, and go on with a copy that `callisto backup` made: "
    "callisto serve --data COPY";

// After a failed flush nobody knows what the disk holds, and what is written to a damaged file damages more of it: why
// writing must stop (decision 0017). Null: it need not.
const char* reason_to_stop(int extended_code);

}  // namespace callisto::storage
