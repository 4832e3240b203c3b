#include "engine/storage/migrate.h"
#include "engine/app/commands.h"
#include "engine/app/load.h"
#include "engine/records/schema.h"

#include <cstdio>
#include <filesystem>

namespace callisto::app {

namespace {

void print(const storage::MigrationPlan& plan) {
  for (const std::string& statement : plan.statements) std::printf("%s;\n", statement.c_str());
  for (const std::string& problem : plan.problems) std::fprintf(stderr, "left as it is: %s\n", problem.c_str());
  if (plan.statements.empty()) std::printf("-- the database is up to date\n");
}

// What would be done to the database as it is, which may be none yet; a server may be running on it.
Result<storage::MigrationPlan> plan(const Settings& settings, const std::vector<storage::TableSpec>& tables) {
  constexpr std::string_view scheme = "sqlite:";
  const std::string url = settings.database_url();
  const bool is_new = url.starts_with(scheme) && !std::filesystem::exists(url.substr(scheme.size()));
  const auto options = is_new ? storage::DatabaseOptions{.url = "sqlite::memory:"}
                              : storage::DatabaseOptions{.url = url, .read_only = true};
  CALLISTO_TRY(const auto database, storage::Database::open(options));
  CALLISTO_TRY(const auto connection, database->connect_reader());
  return storage::plan(*connection, storage::engine_migrations(), tables);
}

Result<storage::MigrationPlan> apply(const Settings& settings, const std::vector<storage::TableSpec>& tables,
                                     const Clock& clock) {
  std::error_code ignored;
  std::filesystem::create_directories(settings.data, ignored);
  CALLISTO_TRY(const auto database, storage::Database::open({.url = settings.database_url()}));
  return storage::apply(*database, storage::engine_migrations(), tables, clock.now());
}

}  // namespace

int migrate(const Settings& settings, const MigrateOptions& options) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto tables = records::tables_of(model->catalog());
  const auto done = options.plan ? plan(settings, tables) : apply(settings, tables, clock);
  if (!done) {
    print_error(done.error());
    return 1;
  }
  print(*done);
  return 0;
}

}  // namespace callisto::app
