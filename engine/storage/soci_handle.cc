#include "engine/storage/soci_handle.h"

#include "engine/base/process_limits.h"
#include "engine/base/text.h"

// SOCI's headers want Boost only for its optional and fusion adapters, which nothing here uses.
#include <soci/soci-config.h>
#undef SOCI_HAVE_BOOST
#include <soci/postgresql/soci-postgresql.h>
#include <soci/session.h>
#include <soci/sqlite3/soci-sqlite3.h>

#include <exception>
#include <string_view>

namespace callisto::storage {

namespace {

// What libpq says of target_session_attrs=read-write names neither cause nor mend.
std::string mend_of(std::string_view problem) {
  if (problem.find("session is read-only") == problem.npos) return "";
  return "This server takes no writes: it is a hot standby, or its database or role is set to read-only. Name the "
         "primary; a url with several hosts, postgresql://desk@one,two/desk, finds the one that takes writes.";
}

}  // namespace

struct SociHandle::Session {
  Session(const soci::backend_factory& backend, const std::string& connect_string) : soci(backend, connect_string) {}
  soci::session soci;
};

SociHandle::SociHandle(std::unique_ptr<Session> session) : session_(std::move(session)) {}
SociHandle::SociHandle(SociHandle&&) noexcept = default;
SociHandle& SociHandle::operator=(SociHandle&&) noexcept = default;
SociHandle::~SociHandle() = default;

Result<SociHandle> SociHandle::open_sqlite(const std::string& path, bool read_only, const std::string& file_system) {
  // Inside quotes SOCI's reader of connect strings takes blanks and '=' as they are, but knows no escape.
  if (path.find('"') != std::string::npos)
    return internal("the path of the database must not contain a double quote: " + path);
  try {
    return SociHandle(std::make_unique<Session>(soci::sqlite3, "dbname=\"" + path + '"' +
                                                                   (read_only ? " readonly=true" : "") +
                                                                   (file_system.empty() ? "" : " vfs=" + file_system)));
  } catch (const std::exception& problem) {
    return internal("cannot open the database " + path + ": " + text::well_formed(process_limits::words_of(problem)));
  }
}

Result<SociHandle> SociHandle::open_postgres(const std::string& url) {
  try {
    return SociHandle(std::make_unique<Session>(soci::postgresql, url));
  } catch (const std::exception& problem) {
    Error error = unavailable("The database cannot be reached. Try again.", 1);
    error.log_detail = std::string("cannot connect to PostgreSQL: ") + problem.what() + mend_of(problem.what());
    return error;
  }
}

// SOCI keeps the type information of its backends to itself, so the casts cannot be checked at run time.
#if defined(__GNUC__)
__attribute__((no_sanitize("vptr")))
#endif
void* SociHandle::native() const {
  soci::details::session_backend* backend = session_->soci.get_backend();
  if (session_->soci.get_backend_name() == "postgresql")
    return static_cast<soci::postgresql_session_backend*>(backend)->conn_;
  return static_cast<soci::sqlite3_session_backend*>(backend)->conn_;
}

}  // namespace callisto::storage
