#include "engine/storage/sqlite/error.h"

#include "engine/base/process_limits.h"
#include "engine/base/text.h"
#include "engine/storage/database.h"

#include <cstring>
#include <string>

namespace callisto::storage {

namespace {

// What the system said, where it said something: "unable to open database file" alone names no cause.
std::string reason_of(sqlite3* db, int code) {
  const int reason = sqlite3_system_errno(db);
  const bool is_of_system = (code & 0xff) == SQLITE_CANTOPEN || (code & 0xff) == SQLITE_IOERR;
  return is_of_system && reason != 0 ? std::string(" (") + std::strerror(reason) + ")" : std::string();
}

}  // namespace

// SQLite's message may quote bytes of a damaged file.
Error sqlite_error(sqlite3* db, int code, std::string_view doing) {
  const int extended = sqlite3_extended_errcode(db);
  std::string detail = "SQLite " + std::to_string((extended & 0xff) == (code & 0xff) ? extended : code) + ": " +
                       text::well_formed(sqlite3_errmsg(db)) + reason_of(db, code) + " in: " + std::string(doing);
  switch (code & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED: {
      Error error = unavailable("The database is busy. Try again.", 1);
      error.log_detail = std::move(detail);
      return error;
    }
    case SQLITE_INTERRUPT: {
      Error error = unavailable("The query took too long and was stopped. Ask for less.", 1);
      error.log_detail = std::move(detail);
      return error;
    }
    case SQLITE_ERROR:
      if (std::string_view(sqlite3_errmsg(db)) == "integer overflow") return sum_too_large();
      return internal(std::move(detail));
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return internal("the database is damaged: " + detail + ". " + damage_advice);
    case SQLITE_NOMEM:
      return internal(detail + ". The limits are: " + process_limits::of_memory() + ".");
    default:
      return internal(std::move(detail));
  }
}

const char* reason_to_stop(int extended_code) {
  if (extended_code == SQLITE_IOERR_FSYNC || extended_code == SQLITE_IOERR_DIR_FSYNC) return "a flush to disk failed";
  const int code = extended_code & 0xff;
  return code == SQLITE_CORRUPT || code == SQLITE_NOTADB ? "the file is damaged" : nullptr;
}

}  // namespace callisto::storage
