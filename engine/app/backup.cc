// callisto backup: a folder that a server can be started on, made beside a running one. The database first, so that
// nothing in it lacks the key that it was sealed with; the audit log only up to its last whole line. Then what was
// copied is looked through: a damaged copy is told.
#include "engine/app/commands.h"
#include "engine/app/opening/database_url.h"
#include "engine/app/opening/load.h"
#include "engine/audit/head.h"
#include "engine/base/progress.h"
#include "engine/base/whole_file.h"
#include "engine/storage/upkeep.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace callisto::app {

namespace {

namespace fs = std::filesystem;

// The folder while it is not whole; removed unless it is kept.
class PartialFolder {
 public:
  static Result<PartialFolder> make(const std::string& final_path) {
    std::string path = final_path + ".partial-XXXXXX";
    std::error_code failed;
    const fs::path above = fs::path(final_path).parent_path();
    if (!above.empty()) fs::create_directories(above, failed);
    if (!mkdtemp(path.data())) return internal("the folder " + path + " cannot be made: " + std::strerror(errno));
    return PartialFolder(path);
  }
  PartialFolder(PartialFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  PartialFolder& operator=(PartialFolder&&) = delete;
  ~PartialFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  const std::string& path() const { return path_; }

  // It never takes the place of something that is there: an empty folder alone gives way.
  Result<void> keep_as(const std::string& path) {
    if (rename(path_.c_str(), path.c_str()) != 0)
      return internal("the folder " + path_ + " cannot be renamed to " + path + ": " + std::strerror(errno));
    path_.clear();
    const int above = open(fs::absolute(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (above >= 0) {
      fsync(above);
      close(above);
    }
    return {};
  }

 private:
  explicit PartialFolder(std::string path) : path_(std::move(path)) {}
  std::string path_;
};

std::optional<std::string> read_whole(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

// For its owner alone, and on the disk.
Result<void> write_whole(const std::string& path, const std::string& bytes) {
  CALLISTO_TRY(WholeFile file, WholeFile::make(path, 0600));
  CALLISTO_CHECK(file.write(bytes));
  return file.keep_as_new();
}

Result<void> copy_key(const Settings& settings, const std::string& folder) {
  const auto key = read_whole(settings.data + "/secret.key");
  if (!key)
    return internal("the key " + settings.data + "/secret.key cannot be read: without it the copy is worthless");
  return write_whole(folder + "/secret.key", *key);
}

// The head first: it then names a line that the log has.
Result<void> copy_audit_log(const Settings& settings, const std::string& folder) {
  const std::string from = settings.data + "/audit.jsonl", to = folder + "/audit.jsonl";
  const auto head = read_whole(audit::head_path(from));
  auto log = read_whole(from);
  if (!log) return {};
  log->resize(log->rfind('\n') == log->npos ? 0 : log->rfind('\n') + 1);
  if (head) CALLISTO_CHECK(write_whole(audit::head_path(to), *head));
  return write_whole(to, *log);
}

// What is damaged in the copy of the database.
Result<std::vector<std::string>> copy_all(const Settings& settings, const std::string& folder) {
  const std::string database = folder + "/desk.db";
  {
    std::optional<Progress> progress;
    CALLISTO_CHECK(storage::back_up(settings.database_url(), database, [&](std::uint64_t done, std::uint64_t all) {
      if (!progress) progress.emplace("backup", all);
      progress->advance_to(done);
    }));
  }
  CALLISTO_CHECK(copy_key(settings, folder));
  CALLISTO_CHECK(copy_audit_log(settings, folder));
  return storage::check_copy(database);
}

// A damaged copy is no backup, and has a name that nobody takes for one.
Result<void> keep_damaged(const Settings& settings, PartialFolder folder, const std::string& path,
                          const std::vector<std::string>& damage) {
  for (const std::string& line : damage) std::fprintf(stderr, "%s\n", line.c_str());
  std::fprintf(stderr, "callisto: %s is damaged, and a copy has the same damage: this is no backup.\n",
               settings.database_url().c_str());
  CALLISTO_CHECK(folder.keep_as(path));
  std::fprintf(stderr,
               "The copy is kept so that you can save what is left: callisto export ENTITY --data %s\n"
               "Stop the server and continue with an earlier backup: callisto serve --data BACKUP\n",
               path.c_str());
  return {};
}

// Whether the copy is whole.
Result<bool> back_up(const Settings& settings, const std::string& path) {
  std::error_code failed;
  if (fs::exists(path, failed) && !(fs::is_directory(path, failed) && fs::is_empty(path, failed)))
    return internal(path + " exists: name a new folder");
  CALLISTO_TRY(PartialFolder folder, PartialFolder::make(path));
  CALLISTO_TRY(const auto damage, copy_all(settings, folder.path()));
  if (damage.empty()) CALLISTO_CHECK(folder.keep_as(path));
  else CALLISTO_CHECK(keep_damaged(settings, std::move(folder), path + ".damaged", damage));
  return damage.empty();
}

// The database's own tools do it better.
int explain_pg_dump(const Settings& settings) {
  std::fprintf(stderr,
               "callisto: this desk is on PostgreSQL, which makes its copies itself, beside running servers too:\n"
               "  pg_dump --format=custom --file=desk.dump %s\n"
               "  pg_restore --no-owner --dbname=postgresql://USER@HOST/NEW desk.dump\n"
               "Keep %s/secret.key with it: without that key the desk's secrets cannot be read. Each server's audit\n"
               "log is audit.jsonl in its data folder.\n",
               shell_quoted(without_password(settings.database)).c_str(), settings.data.c_str());
  return 1;
}

}  // namespace

int backup(const Settings& settings, std::string folder) {
  if (settings.is_on_postgres()) return explain_pg_dump(settings);
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  const auto is_whole = back_up(settings, folder);
  if (!is_whole) print_error(is_whole.error());
  if (!is_whole || !*is_whole) return 1;
  std::printf(
      "%s holds the whole desk, with the key of its secrets: keep it as safe as the desk itself.\nTo restore:  "
      "callisto serve --data %s\n",
      folder.c_str(), folder.c_str());
  if (!settings.database.empty()) std::printf("The setting 'database' names another file: leave it out then.\n");
  return 0;
}

}  // namespace callisto::app
