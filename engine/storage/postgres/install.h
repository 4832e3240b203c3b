// What SQL texts of engine/query and sql/ rely on in a PostgreSQL database: the function `folded` (simple case folding,
// the same as text::fold, for every index and comparison of texts), `order_of` (a BIGINT beside a
// DOUBLE PRECISION: -1, 0 or 1, exactly) and the domain `blob`. The connection's thread.
#pragma once

#include "engine/storage/postgres/connection.h"

namespace callisto::storage {

// Makes what is missing; where the table of folding is of an older Unicode version, replaces it and builds the indexes
// that rely on it again. One whose version is newer is left alone: an error that says so.
Result<void> install_functions(PostgresConnection& connection);

}  // namespace callisto::storage
