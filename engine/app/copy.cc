// callisto copy: a whole desk from one database into another. No url stands in any message.
#include "engine/importing/copy.h"
#include "engine/app/commands.h"
#include "engine/app/opening/database_url.h"
#include "engine/app/opening/load.h"
#include "engine/base/progress.h"

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>

namespace callisto::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view sqlite = "sqlite:";
constexpr std::chrono::hours patience{24};

std::string path_of(const std::string& url) { return url.starts_with(sqlite) ? url.substr(sqlite.size()) : ""; }

// What a person who runs the command can use: not the statement behind it.
int fail(const char* where, const Error& error) {
  const std::string text = error.log_detail.empty() ? error.message : error.log_detail;
  std::fprintf(stderr, "callisto: %s%s\n", where, text.substr(0, text.find(" in: ")).c_str());
  return 1;
}

Result<void> look_at_target(const std::string& url) {
  const std::string path = path_of(url);
  std::error_code ignored;
  if (!path.empty() && !fs::exists(path, ignored)) {
    if (fs::path(path).has_parent_path()) fs::create_directories(fs::path(path).parent_path(), ignored);
    return {};
  }
  CALLISTO_TRY(const auto target, storage::Database::open({.url = url, .read_only = true}));
  CALLISTO_TRY(const auto connection, target->connect_reader());
  return importing::check_nothing_to_lose(*connection);
}

Result<std::unique_ptr<storage::Database>> open_target(const std::string& url, records::Model& model) {
  CALLISTO_TRY(auto target, storage::Database::open({.url = url}));
  CALLISTO_CHECK(bring_schema_to(*target, model, SystemClock()));
  return target;
}

Result<std::vector<importing::CopiedTable>> copy_rows(const std::string& from, storage::Database& target) {
  CALLISTO_TRY(const auto source, storage::Database::open({.url = from, .read_only = true, .read_deadline = patience}));
  CALLISTO_TRY(const auto connection, source->connect_reader());
  std::optional<Progress> progress;
  std::string drawn;
  return importing::copy_desk(*connection, target, [&](std::string_view step, std::uint64_t done, std::uint64_t all) {
    if (drawn != step) {
      drawn = step;
      progress.emplace(drawn, all);
    }
    progress->advance_to(done);
  });
}

// The key stands beside a SQLite desk as servers make them.
void print_done(const std::vector<importing::CopiedTable>& tables, const Settings& settings, const std::string& from) {
  std::uint64_t rows = 0;
  for (const importing::CopiedTable& table : tables) {
    std::printf("%-28s %12llu rows, equal: sha256 %s\n", table.name.c_str(),
                static_cast<unsigned long long>(table.rows), table.checksum.c_str());
    rows += table.rows;
  }
  const std::string folder = path_of(from).empty() ? settings.data : fs::path(path_of(from)).parent_path().string();
  const std::string beside = (fs::path(folder) / "secret.key").string();
  std::error_code ignored;
  const std::string key = fs::exists(beside, ignored) ? beside : "secret.key of its data folder";
  std::printf(
      "%llu rows of %zu tables copied, read back from both sides and found equal. Later changes of the source are not "
      "in it.\n"
      "Take the desk's key along: copy %s into the data folder of each server of the new database.\n",
      static_cast<unsigned long long>(rows), tables.size(), key.c_str());
}

}  // namespace

int copy(const Settings& settings, const CopyOptions& options) {
  if (has_password(options.from) || has_password(options.to))
    std::fprintf(stderr,
                 "callisto: everybody who can list this machine's processes can read the password in that url; "
                 "PGPASSWORD or ~/.pgpass would hide it\n");
  if (const auto source = storage::Database::open({.url = options.from, .read_only = true}); !source)
    return fail("--from: ", source.error());
  if (const auto looked = look_at_target(options.to); !looked) return fail("--to: ", looked.error());
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto target = open_target(options.to, *model);
  if (!target) return fail("--to: ", target.error());
  const auto copied = copy_rows(options.from, **target);
  if (copied) {
    print_done(*copied, settings, options.from);
    return 0;
  }
  fail("", copied.error());
  std::fprintf(
      stderr,
      "Nothing was copied: the target has only empty tables, if any. Fix the cause, then run the same command "
      "again%s.\n",
      copied.error().is_unavailable() ? "; if it then finds rows in the target, this copy was whole after all" : "");
  return 1;
}

}  // namespace callisto::app
