#include "engine/storage/upkeep.h"

#include "engine/base/percent.h"
#include "engine/base/text.h"
#include "engine/storage/sqlite/connection.h"
#include "engine/storage/sqlite/error.h"
#include "engine/storage/sqlite/functions.h"

#include <fcntl.h>
#include <unistd.h>

#include <memory>
#include <string_view>

namespace callisto::storage {
namespace {

constexpr int pages_at_once = 2000;
constexpr std::chrono::milliseconds patience(10'000);

struct Closer {
  void operator()(sqlite3* db) const { sqlite3_close(db); }
};
using Handle = std::unique_ptr<sqlite3, Closer>;

Error cannot_write(const std::string& path, const std::string& why) {
  return internal("the copy " + path + " cannot be written: " + why);
}

// Readable by its owner alone.
Result<Handle> make_target(const std::string& path) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return cannot_write(path, "it exists, or its folder cannot be written");
  ::close(file);
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &raw, SQLITE_OPEN_READWRITE, nullptr);
  Handle target(raw);
  if (code != SQLITE_OK) return cannot_write(path, raw ? sqlite3_errmsg(raw) : "no memory");
  // It is worth nothing before it is whole, and is flushed then.
  sqlite3_exec(raw, "PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF;", nullptr, nullptr, nullptr);
  return target;
}

Result<void> copy(sqlite3* from, sqlite3* to, const std::string& path, const BackupProgress& progress) {
  sqlite3_backup* backup = sqlite3_backup_init(to, "main", from, "main");
  if (!backup) return cannot_write(path, sqlite3_errmsg(to));
  int code = SQLITE_OK;
  while (code == SQLITE_OK) {
    code = sqlite3_backup_step(backup, pages_at_once);
    const auto all = static_cast<std::uint64_t>(sqlite3_backup_pagecount(backup));
    const auto left = static_cast<std::uint64_t>(sqlite3_backup_remaining(backup));
    progress(all - left, all);
  }
  sqlite3_backup_finish(backup);
  if (code != SQLITE_DONE) return cannot_write(path, sqlite3_errstr(code));
  return {};
}

// As a file that nobody changes, so that no log is made beside it.
Result<Handle> open_copy(const std::string& path) {
  configure_sqlite();
  std::string uri = "file:";
  append_encoded(uri, path);
  uri += "?immutable=1";
  sqlite3* raw = nullptr;
  const int code = sqlite3_open_v2(uri.c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  Handle copy(raw);
  if (code != SQLITE_OK)
    return internal("the copy " + path + " cannot be read: " + (raw ? sqlite3_errmsg(raw) : "no memory"));
  if (const int failed = register_functions(raw); failed != SQLITE_OK)
    return sqlite_error(raw, failed, "register the collation and functions");
  sqlite3_exec(raw, "PRAGMA cache_size = -16384; PRAGMA trusted_schema = OFF;", nullptr, nullptr, nullptr);
  return copy;
}

int add_line(void* lines, int, char** columns, char**) {
  const std::string_view line = columns[0] ? columns[0] : "";
  if (line != "ok") static_cast<std::vector<std::string>*>(lines)->push_back(text::well_formed(line));
  return 0;
}

Result<void> flush(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool flushed = file >= 0 && ::fsync(file) == 0;
  if (file >= 0) ::close(file);
  if (!flushed) return cannot_write(path, "it cannot be flushed to the disk");
  return {};
}

}  // namespace

Result<void> back_up(const std::string& url, const std::string& target, const BackupProgress& progress) {
  constexpr std::string_view sqlite = "sqlite:";
  if (!url.starts_with(sqlite) || url == "sqlite::memory:")
    return internal("only a database file can be copied: the setting 'database' must be sqlite:PATH");
  CALLISTO_TRY(const auto source, SqliteConnection::open_reader(url.substr(sqlite.size()), 1024, patience));
  // A snapshot that is held: otherwise each change by the server would begin the copy again.
  CALLISTO_TRY(const auto snapshot, ReadTransaction::begin(*source));
  CALLISTO_TRY(auto first, source->query(Sql("SELECT count(*) FROM sqlite_schema"), {}));
  CALLISTO_CHECK(first->step());
  first.reset();
  CALLISTO_TRY(const std::int64_t page_bytes, [&]() -> Result<std::int64_t> {
    CALLISTO_TRY(auto size, source->query(Sql("PRAGMA page_size"), {}));
    CALLISTO_CHECK(size->step());
    return size->integer(0);
  }());
  {
    CALLISTO_TRY(const Handle to, make_target(target));
    const auto bytes = static_cast<std::uint64_t>(page_bytes);
    CALLISTO_CHECK(copy(source->handle(), to.get(), target,
                        [&](std::uint64_t done, std::uint64_t all) { progress(done * bytes, all * bytes); }));
  }
  return flush(target);
}

Result<std::vector<std::string>> check_copy(const std::string& path) {
  CALLISTO_TRY(const Handle copy, open_copy(path));
  std::vector<std::string> lines;
  if (sqlite3_exec(copy.get(), "PRAGMA quick_check(20)", add_line, &lines, nullptr) != SQLITE_OK)
    lines.emplace_back(sqlite3_errmsg(copy.get()));
  return lines;
}

}  // namespace callisto::storage
