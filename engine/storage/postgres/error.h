// PostgreSQL's answers as Errors: 503 for what passes (connection lost, busy, stopped), 500 for the rest. Driver
// messages and SQL go to log_detail only. The thread that owns the connection.
#pragma once

#include "engine/base/error.h"

#include <libpq-fe.h>

#include <memory>
#include <string>
#include <string_view>

namespace callisto::storage {

struct ResultClearer {
  void operator()(PGresult* result) const { PQclear(result); }
};
using ResultPointer = std::unique_ptr<PGresult, ResultClearer>;

// The five characters of its error; empty: none.
std::string_view sql_state(const PGresult* result);
// Two transactions met so that one has to begin again: its next run finds what the other did.
bool is_serialization_failure(std::string_view state);
// The server is a standby, or takes no writes for another reason.
bool is_of_standby(std::string_view state, const PGresult* result);
Error unreachable(std::string detail);    // 503
Error pooled(std::string detail);         // a pooler lends its connections by transaction, which they do not survive
bool is_stopped(std::string_view state);  // for its time
bool is_unique_violation(std::string_view state);

// The error of `result`, which may be null: then that of the connection's last call. `doing` is for the log: the SQL
// text or what was tried.
Error postgres_error(const PGconn* connection, const PGresult* result, std::string_view doing);

}  // namespace callisto::storage
