#include "engine/storage/postgres/error.h"

#include "engine/base/text.h"
#include "engine/storage/database.h"

namespace callisto::storage {
namespace {

// https://www.postgresql.org/docs/15/errcodes-appendix.html
constexpr std::string_view stopped = "57014";
// 25P02 tells nothing by itself: an earlier statement failed, most often at a conflict.
constexpr std::string_view busy[] = {"40001", "40P01", "55P03", "53300", "25P02"};
constexpr std::string_view gone[] = {"57P01", "57P02", "57P03", "57P05", "25P03"};
// What was prepared on this connection is nowhere, or stands there already: it is another one's as well.
constexpr std::string_view shared[] = {"26000", "42P05"};
constexpr std::string_view connection_class = "08";

template <std::size_t N>
bool is_one_of(std::string_view state, const std::string_view (&states)[N]) {
  for (std::string_view each : states)
    if (state == each) return true;
  return false;
}

Error passing(std::string message, std::string detail) {
  Error error = unavailable(std::move(message), 1);
  error.log_detail = std::move(detail);
  return error;
}

// Without the DETAIL field, which repeats the row's values.
std::string_view message_of(const PGconn* connection, const PGresult* result) {
  const char* text = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : nullptr;
  return text::trim(text ? text : PQerrorMessage(connection));
}

}  // namespace

std::string_view sql_state(const PGresult* result) {
  const char* state = result ? PQresultErrorField(result, PG_DIAG_SQLSTATE) : nullptr;
  return state ? state : "";
}

bool is_serialization_failure(std::string_view state) { return state == "40001" || state == "40P01"; }

// What a standby cannot do is told by the same state as what no server can; the words come after it.
bool is_of_standby(std::string_view state, const PGresult* result) {
  if (state == "25006") return true;  // read_only_sql_transaction
  const char* text = result ? PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY) : nullptr;
  return state == "0A000" && std::string_view(text ? text : "").find("hot standby") != std::string_view::npos;
}

Error pooled(std::string detail) {
  return internal(
      "a pooler lends connections of the database by transaction, such as PgBouncer with pool_mode = transaction; what "
      "this server prepares and sets on a connection has to stay there: set pool_mode = session for it, or let the "
      "setting 'database' lead past the pooler (" +
      detail + ")");
}

Error unreachable(std::string detail) {
  return passing("The database cannot be reached. Try again.", "PostgreSQL: " + std::move(detail));
}

bool is_stopped(std::string_view state) { return state == stopped; }

bool is_unique_violation(std::string_view state) { return state == "23505"; }

Error postgres_error(const PGconn* connection, const PGresult* result, std::string_view doing) {
  const std::string_view state = sql_state(result);
  std::string detail = "PostgreSQL " + std::string(state) + (state.empty() ? "" : ": ") +
                       std::string(message_of(connection, result)) + " in: " + std::string(doing);
  if (is_one_of(state, shared)) return pooled(std::move(detail));
  if (is_stopped(state)) return passing("The query took too long and was stopped. Ask for less.", std::move(detail));
  if (is_of_standby(state, result))
    return passing("The database takes no writes at this moment. Try again.", std::move(detail));
  if (state == "22003") return sum_too_large();  // numeric_value_out_of_range
  if (is_one_of(state, busy)) return passing("The database is busy. Try again.", std::move(detail));
  if (is_one_of(state, gone) || state.starts_with(connection_class) || PQstatus(connection) == CONNECTION_BAD)
    return passing("The database cannot be reached. Try again.", std::move(detail));
  return internal(std::move(detail));
}

}  // namespace callisto::storage
