// A session that SOCI opened and closes, and its native handle. The one place that includes SOCI: its SQLite header and
// <sqlite3.h> do not compile together, so the handle crosses as void*. SOCI's exceptions end here.
// One thread at a time.
#pragma once

#include "engine/base/result.h"

#include <memory>
#include <string>

namespace callisto::storage {

class SociHandle {
 public:
  // `path` may hold blanks and '='; SOCI has no way to spell a '"'. The file is made unless `read_only`. `file_system`:
  // the name of one that SQLite knows; empty: its default.
  static Result<SociHandle> open_sqlite(const std::string& path, bool read_only, const std::string& file_system = {});
  // 503 where the server cannot be reached or refuses; the reason stands in log_detail, without what `url` holds.
  static Result<SociHandle> open_postgres(const std::string& url);
  SociHandle(SociHandle&&) noexcept;
  SociHandle& operator=(SociHandle&&) noexcept;
  ~SociHandle();

  void* native() const;  // sqlite3* or PGconn*; valid as long as this object

 private:
  struct Session;
  explicit SociHandle(std::unique_ptr<Session> session);
  std::unique_ptr<Session> session_;
};

}  // namespace callisto::storage
