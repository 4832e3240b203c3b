#include "engine/app/opening/sample_desk.h"

#include "engine/app/opening/load.h"
#include "engine/app/opening/samples.h"
#include "engine/app/opening/starter.h"
#include "engine/app/version.h"
#include "engine/records/schema.h"
#include "engine/storage/migrate.h"

#include <utility>

namespace callisto::app {

namespace {

constexpr int script_patience = 10;  // other programs may slow this one down; a spec has its own limit

constexpr const char* memory = "sqlite::memory:";

}  // namespace

Settings in_memory(Settings settings) {
  settings.database = memory;
  return settings;
}

Result<std::unique_ptr<storage::Database>> open_sample_desk(const records::Model& model, const Clock& clock,
                                                            Random& random) {
  CALLISTO_TRY(auto database, storage::Database::open({.url = memory}));
  CALLISTO_CHECK(
      storage::apply(*database, storage::engine_migrations(), records::tables_of(model.catalog()), clock.now()));
  CALLISTO_CHECK(load_samples(*database, model, find_folder("samples/desk"), clock, random));
  CALLISTO_CHECK(keep_states(*database, model, clock, random));
  return database;
}

testing::TestServerParts desk_parts(const Settings& settings, std::shared_ptr<const records::Model> model) {
  script::Budget budget = script_budget(settings);
  budget.time_ms *= script_patience;
  api::Options api;
  api.api_root = settings.api_root;
  api.oauth_root = settings.oauth_root;
  api.base_url = settings.base_url;
  api.versions = settings.api_versions;
  api.program_version = version();
  return {std::move(model), std::move(api), budget, budget};
}

}  // namespace callisto::app
