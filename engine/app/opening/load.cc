#include "engine/app/opening/load.h"

#include "engine/app/opening/data_folder.h"
#include "engine/app/opening/database_url.h"
#include "engine/app/serving/script_monitor.h"
#include "engine/auth/relied_on.h"
#include "engine/base/log.h"
#include "engine/base/log_writer.h"
#include "engine/base/text.h"
#include "engine/records/report_views.h"
#include "engine/records/schema.h"
#include "engine/records/unknown_types.h"
#include "engine/scim/mapping.h"
#include "webhooks/relied_on.h"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

namespace callisto::app {

namespace {

void print_problems(const std::vector<catalog::Problem>& problems) {
  for (const catalog::Problem& problem : problems) log::print(to_string(problem) + "\n");
  log::print(std::to_string(problems.size()) + (problems.size() == 1 ? " problem\n" : " problems\n"));
}

// Where the database lets several write at once: enough that one's flush is another's work.
std::size_t writers() { return std::max<std::size_t>(4, std::size_t{2} * std::thread::hardware_concurrency()); }

// What the program needs of the entities for itself.
std::vector<catalog::Problem> missing_parts(const catalog::Catalog& catalog) {
  std::vector<catalog::Problem> problems;
  for (const auto* list : {&auth::relied_on(), &webhooks::relied_on(), &ScriptMonitor::relied_on()})
    for (catalog::Problem& problem : catalog::missing(catalog, *list)) problems.push_back(std::move(problem));
  return problems;
}

}  // namespace

std::string words_for_operator(const Error& error) {
  return error.log_detail.empty() ? error.message : error.log_detail;
}

void print_error(const Error& error) { log::print("callisto: " + words_for_operator(error) + "\n"); }

script::Budget script_budget(const Settings& settings) {
  return {settings.script_time_ms, settings.script_memory_mib, settings.script_statements};
}

query::Limits query_limits(const Settings& settings) {
  query::Limits limits;
  limits.filter_bytes = settings.filter_bytes;
  limits.nodes = static_cast<std::size_t>(settings.query_nodes);
  limits.nesting = static_cast<std::size_t>(settings.query_nesting);
  limits.relations = static_cast<std::size_t>(settings.query_relations);
  limits.selected_paths = static_cast<std::size_t>(settings.query_paths);
  limits.sort_keys = static_cast<std::size_t>(settings.query_sort_keys);
  return limits;
}

// The desk's own rules keep what they always had, however little clients are given.
query::Limits at_least(query::Limits limits, const query::Limits& other) {
  for (const auto member : {&query::Limits::filter_bytes, &query::Limits::nesting, &query::Limits::nodes,
                            &query::Limits::relations, &query::Limits::selected_paths, &query::Limits::sort_keys})
    limits.*member = std::max(limits.*member, other.*member);
  return limits;
}

std::vector<std::string> script_folders(const Settings& settings) {
  std::vector<std::string> folders = find_folders(settings.entities);
  for (std::string& folder : find_folders(settings.scripts)) folders.push_back(std::move(folder));
  return folders;
}

Result<records::ModelResult> read_model(const Settings& settings, const Clock& clock, Random& random,
                                        const catalog::StoredNames* stored) {
  auto loaded = script::load(find_folders(settings.entities), find_folders(settings.scripts), stored);
  if (!loaded.program) return records::ModelResult{nullptr, std::move(loaded.problems)};
  auto problems = missing_parts(*loaded.program->catalog);
  if (!problems.empty()) return records::ModelResult{nullptr, std::move(problems)};
  CALLISTO_TRY(const auto state, script::State::create(loaded.program, script_budget(settings), clock, random));
  const auto dialect = settings.is_on_postgres() ? query::Dialect::PostgreSql : query::Dialect::Sqlite;
  const query::Limits of_clients = query_limits(settings);
  auto bound = records::bind_model(loaded.program, at_least(query::Limits{}, of_clients), dialect, *state);
  if (bound.model && !scim::Mapping::bind(*loaded.program, bound.problems)) bound.model = nullptr;
  if (bound.model) {
    bound.model->limits = of_clients;
    bound.model->caches = settings.caches;
  }
  return bound;
}

std::shared_ptr<records::Model> load_model(const Settings& settings, const Clock& clock, Random& random) {
  const auto read = read_model(settings, clock, random);
  if (!read) print_error(read.error());
  else if (!read->model) print_problems(read->problems);
  return read ? read->model : nullptr;
}

namespace {

// Told of what takes long alone.
storage::Progress progress_of_indexes(const Clock& clock) {
  constexpr std::int64_t long_ms = 500;
  return [&clock, begin = clock.now()](const std::string& statement, std::size_t number, std::size_t of) {
    if (clock.now().ms - begin.ms >= long_ms)
      log::info("indexes: " + std::to_string(number) + " of " + std::to_string(of) + ": " +
                statement.substr(0, statement.find('(')));
  };
}

}  // namespace

Result<storage::MigrationPlan> bring_schema_to(storage::Database& database, records::Model& model, const Clock& clock) {
  CALLISTO_TRY(auto done, storage::apply(database, storage::engine_migrations(), records::tables_of(model.catalog()),
                                         clock.now(), progress_of_indexes(clock)));
  CALLISTO_TRY(const auto connection, database.connect_reader());
  const auto views = records::report_views(model.catalog(), records::dialect_of(*connection));  // it may be a copy
  CALLISTO_TRY(const auto refused, records::bring_views(database, views));
  for (const std::string& each : refused) log::warning(each);
  CALLISTO_TRY(const auto strangers, records::find_unknown_types(model, *connection));
  for (const records::UnknownType& each : strangers)
    log::warning(std::to_string(each.rows) + " stored record" + (each.rows == 1 ? "" : "s") + " of " +
                 text::quoted(each.type) + ", an entity that extended " + each.root->name +
                 " and that no file defines: kept and not shown; define it again, or delete the rows of table " +
                 each.root->table.text() + " with that RecordType");
  return done;
}

Result<storage::MigrationPlan> plan_schema(const Settings& settings, const records::Model& model) {
  constexpr std::string_view scheme = "sqlite:";
  const std::string url = settings.database_url();
  const bool is_new = url.starts_with(scheme) && !std::filesystem::exists(url.substr(scheme.size()));
  const auto options = is_new ? storage::DatabaseOptions{.url = "sqlite::memory:"}
                              : storage::DatabaseOptions{.url = url, .read_only = true};
  CALLISTO_TRY(const auto database, storage::Database::open(options));
  CALLISTO_TRY(const auto connection, database->connect_reader());
  return storage::plan(*connection, storage::engine_migrations(), records::tables_of(model.catalog()));
}

std::unique_ptr<storage::Database> open_database(const Settings& settings, records::Model& model, const Clock& clock) {
  if (const auto made = make_data_folder(settings); !made) {
    print_error(made.error());
    return nullptr;
  }
  auto database = storage::Database::open({.url = settings.database_url(), .writers = writers()});
  if (!database) {
    print_error(database.error());
    return nullptr;
  }
  if (const auto done = bring_schema_to(**database, model, clock); !done) {
    print_error(done.error());
    if (done.error().is_unavailable())
      log::print("callisto: another program holds the database " + without_password(settings.database_url()) +
                 ": end it, or wait for it, and start again\n");
    return nullptr;
  }
  return *std::move(database);
}

}  // namespace callisto::app
