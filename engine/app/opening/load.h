// The first steps of several commands: entities and scripts are loaded and bound, the database is opened. All problems
// are printed to standard error; then nothing is returned.
#pragma once

#include "engine/app/opening/settings.h"
#include "engine/audit/log.h"
#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/records/model.h"
#include "engine/script/state.h"
#include "engine/storage/database.h"
#include "engine/storage/migrate.h"

#include <memory>

namespace callisto::app {

std::shared_ptr<records::Model> load_model(const Settings& settings, const Clock& clock, Random& random);
// The same without printing. Where the model is null, there are problems.
Result<records::ModelResult> read_model(const Settings& settings, const Clock& clock, Random& random,
                                        const catalog::StoredNames* stored = nullptr);

// The folders of entities and scripts, as settings name them.
std::vector<std::string> script_folders(const Settings& settings);

script::Budget script_budget(const Settings& settings);

// What bring_schema_to() would do to the database as it is, which may be none yet; a server may be running on it.
Result<storage::MigrationPlan> plan_schema(const Settings& settings, const records::Model& model);
// Adds tables and columns that the model has and the database lacks; refuses those of another type. Warns of records
// whose entity the model lacks, and lets it hide them.
Result<storage::MigrationPlan> bring_schema_to(storage::Database& database, records::Model& model, const Clock& clock);

// Opens (making the folder where needed) and brings the schema to the model.
std::unique_ptr<storage::Database> open_database(const Settings& settings, records::Model& model, const Clock& clock);

// DATA/audit.jsonl; beside a running server too.
std::unique_ptr<audit::Log> open_audit(const Settings& settings, const Clock& clock);

std::string words_for_operator(const Error& error);
void print_error(const Error& error);

}  // namespace callisto::app
