#include "engine/app/opening/data_folder.h"

#include "engine/app/opening/database_url.h"
#include "engine/base/log.h"
#include "engine/storage/database.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>
#include <vector>

namespace callisto::app {

namespace {

std::string pid_file(const Settings& settings) { return settings.data + "/callisto.pid"; }

namespace fs = std::filesystem;

constexpr std::string_view sqlite_scheme = "sqlite:";

bool is_in_memory(const Settings& settings) { return settings.database == "sqlite::memory:"; }

// The database's file; empty: it has none.
std::string file_of_database(const Settings& settings) {
  const std::string url = settings.database_url();
  const bool has_file = url.starts_with(sqlite_scheme) && !is_in_memory(settings);
  return has_file ? url.substr(sqlite_scheme.size()) : std::string();
}

Result<void> check_mode(const std::string& path, mode_t forbidden, const char* who_may, const char* mend) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0 || (status.st_mode & forbidden) == 0) return {};
  return internal(path + " may be " + who_may + " by everybody on this machine: chmod " + mend + " " + path);
}

Result<bool> has_tables(const Settings& settings) {
  static const Sql in_sqlite("SELECT count(*) FROM sqlite_master WHERE name = 'licence_pool'");
  static const Sql in_postgres("SELECT count(*) FROM pg_class WHERE oid = to_regclass('licence_pool')");
  CALLISTO_TRY(const auto database, storage::Database::open({.url = settings.database_url(), .read_only = true}));
  CALLISTO_TRY(const auto connection, database->connect_reader());
  CALLISTO_TRY(auto cursor, connection->query(settings.is_on_postgres() ? in_postgres : in_sqlite, {}));
  CALLISTO_TRY(const bool found, cursor->step());
  return found && cursor->integer(0) > 0;
}

// What is wrong with the database; empty: it holds a desk.
Result<std::string> what_is_missing(const Settings& settings) {
  const std::string file = file_of_database(settings);
  std::error_code failed;
  if (!file.empty() && !fs::exists(file, failed)) return std::string("is not there");
  if (!file.empty() && fs::is_regular_file(file, failed) && fs::file_size(file, failed) == 0)
    return std::string("is an empty file");
  CALLISTO_TRY(const bool is_desk, has_tables(settings));
  return std::string(is_desk ? "" : "holds no desk");
}

// Files that a desk which was served once has in its data folder.
std::string traces_of_desk(const Settings& settings) {
  std::string traces;
  std::error_code failed;
  for (const char* name : {"audit.jsonl", "audit.head", "secret.key", "catalog.json"})
    if (fs::exists(settings.data + "/" + name, failed)) traces += (traces.empty() ? "" : ", ") + std::string(name);
  return traces;
}

}  // namespace

Result<void> check_rights(const Settings& settings) {
  constexpr mode_t others_write = S_IWOTH, others = S_IROTH | S_IWOTH;
  if (geteuid() == 0)
    log::warning("The server runs as root, which it does not need: run it as a user of its own that owns " +
                 settings.data + ".");
  CALLISTO_CHECK(check_mode(settings.data, others_write, "changed", "o-w"));
  const std::string database = file_of_database(settings);
  std::vector<std::string> paths{settings.data + "/secret.key", settings.data + "/audit.jsonl"};
  if (!database.empty()) paths.insert(paths.end(), {database, database + "-wal"});
  for (const std::string& path : paths) CALLISTO_CHECK(check_mode(path, others, "read or changed", "o-rwx"));
  return {};
}

Result<void> check_desk_is_there(const Settings& settings) {
  if (is_in_memory(settings)) {
    log::warning("The database is in memory: the desk is new at each start and ends with the server.");
    return {};
  }
  CALLISTO_TRY(const std::string missing, what_is_missing(settings));
  if (missing.empty()) return {};
  const std::string database = without_password(settings.database_url()), traces = traces_of_desk(settings);
  std::error_code failed;
  if (traces.empty() || is_new_desk_wanted()) {
    log::info("a new desk is made: database " + database + ", data folder " +
              fs::absolute(settings.data, failed).string());
    return {};
  }
  return internal("the database " + database + " " + missing + ", but " + settings.data + " holds files of a desk (" +
                  traces +
                  "). Restore the database, perhaps from a backup; or name the right one with --data or the "
                  "setting 'database'. To begin a new desk beside these files: callisto serve --new");
}

bool& is_new_desk_wanted() {
  static bool wanted = false;
  return wanted;
}

Result<void> make_data_folder(const Settings& settings) {
  std::error_code failed;
  std::filesystem::create_directories(settings.data, failed);
  if (!failed) return {};
  return internal("the data folder " + settings.data + " cannot be made: " + failed.message() +
                  ". Choose another with --data.");
}

Result<FileLock> claim_data_folder(const Settings& settings) {
  CALLISTO_CHECK(make_data_folder(settings));
  return FileLock::take(pid_file(settings), "another server runs on the data folder " + settings.data +
                                                "; stop it, or give this one a folder of its own with --data");
}

Result<std::optional<pid_t>> server_of_data_folder(const Settings& settings) {
  return FileLock::holder(pid_file(settings));
}

}  // namespace callisto::app
