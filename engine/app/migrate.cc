// callisto migrate: does what a start does to the database, or only shows it.
#include "engine/app/commands.h"
#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/load.h"

#include <cstdio>

namespace callisto::app {

namespace {

void print(const storage::MigrationPlan& plan) {
  for (const std::string& statement : plan.statements) std::printf("%s;\n", statement.c_str());
  for (const std::string& problem : plan.problems) std::fprintf(stderr, "refused: %s\n", problem.c_str());
  if (plan.statements.empty() && plan.problems.empty()) std::printf("-- the database is up to date\n");
}

Result<storage::MigrationPlan> apply(const Settings& settings, records::Model& model, const Clock& clock) {
  CALLISTO_CHECK(make_data_folder(settings));
  CALLISTO_TRY(const auto database, storage::Database::open({.url = settings.database_url()}));
  return bring_schema_to(*database, model, clock);
}

}  // namespace

int migrate(const Settings& settings, const MigrateOptions& options) {
  const SystemClock clock;
  SystemRandom random;
  const auto model = load_model(settings, clock, random);
  if (!model) return 1;
  const auto done = options.plan ? plan_schema(settings, *model) : apply(settings, *model, clock);
  if (!done) {
    print_error(done.error());
    return 1;
  }
  print(*done);
  return done->problems.empty() ? 0 : 1;
}

}  // namespace callisto::app
