#include "engine/app/specs.h"

#include "engine/app/load.h"
#include "engine/app/samples.h"
#include "engine/records/schema.h"
#include "engine/storage/migrate.h"
#include "engine/testing/spec_files.h"

namespace callisto::app {

namespace {

constexpr int script_patience = 10;  // other programs may slow this one down; a spec has its own limit

Result<std::unique_ptr<storage::Database>> sample_desk(const records::Model& model, const Clock& clock,
                                                       Random& random) {
  CALLISTO_TRY(auto database, storage::Database::open({.url = "sqlite::memory:"}));
  CALLISTO_CHECK(
      storage::apply(*database, storage::engine_migrations(), records::tables_of(model.catalog()), clock.now()));
  CALLISTO_CHECK(load_samples(*database, model, find_folder("samples/desk"), clock, random));
  return database;
}

}  // namespace

Result<std::vector<std::string>> spec_files(const Settings& settings, const std::string& path) {
  return path.empty() ? testing::specs_of_folders(find_folders(settings.scripts)) : testing::specs_at(path);
}

Result<testing::Report> run_specs(const Settings& settings, std::shared_ptr<const records::Model> model,
                                  const testing::RunOptions& options, Random& random) {
  const testing::SteeredClock clock(options.start);
  CALLISTO_TRY(const auto database, sample_desk(*model, clock, random));
  script::Budget budget = script_budget(settings);
  budget.time_ms *= script_patience;
  api::Options api;
  api.api_root = settings.api_root;
  api.oauth_root = settings.oauth_root;
  api.base_url = settings.base_url;
  api.versions = settings.api_versions;
  return testing::run(*database, {std::move(model), std::move(api), budget, budget}, options, random);
}

}  // namespace callisto::app
