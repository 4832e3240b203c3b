#include "engine/app/commands.h"
#include "engine/app/load.h"
#include "engine/records/schema.h"
#include "engine/storage/migrate.h"

#include <cstdio>
#include <filesystem>

namespace callisto::app {

namespace {

void print(const storage::MigrationPlan& plan) {
  for (const std::string& statement : plan.statements) std::printf("%s;\n", statement.c_str());
  for (const std::string& problem : plan.problems) std::fprintf(stderr, "left as it is: %s\n", problem.c_str());
  if (plan.statements.empty()) std::printf("-- the database is up to date\n");
}

Result<storage::MigrationPlan> run(const Settings& settings, const records::Model& model, const Clock& clock,
                                   bool plan_only) {
  std::error_code ignored;
  std::filesystem::create_directories(settings.data, ignored);
  CALLISTO_TRY(const auto database, storage::Database::open({.url = settings.database_url()}));
  const auto tables = records::tables_of(model.catalog());
  if (!plan_only) return storage::apply(*database, storage::engine_migrations(), tables, clock.now());
  CALLISTO_TRY(const auto connection, database->connect_reader());
  return storage::plan(*connection, storage::engine_migrations(), tables);
}

}  // namespace

int migrate(const Settings& settings, const MigrateOptions& options) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto done = run(settings, *model, clock, options.plan);
  if (!done) {
    print_error(done.error());
    return 1;
  }
  print(*done);
  return 0;
}

}  // namespace callisto::app
