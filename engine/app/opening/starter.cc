#include "engine/app/opening/starter.h"

#include "engine/app/opening/desk_files.h"
#include "engine/auth/relied_on.h"
#include "engine/base/log.h"
#include "engine/records/state_rows.h"

#include <filesystem>
#include <set>
#include <string_view>

namespace callisto::app {

namespace {

constexpr const char* fact = "starter";

Result<bool> has_row(storage::Connection& connection, const Sql& sql, const std::vector<Value>& values = {}) {
  CALLISTO_TRY(const auto rows, connection.query(sql, values));
  return rows->step();
}

// Whether it was brought, or found not to be wanted: then the lists are the administrator's, empty or not.
Result<bool> is_settled(storage::Connection& connection) {
  static const Sql sql("SELECT 1 FROM desk_fact WHERE name = ?1");
  return has_row(connection, sql, {Value(std::string(fact))});
}

// States have rows as soon as a desk was served.
std::set<const catalog::Entity*> uncounted(const catalog::Catalog& catalog) {
  std::set<const catalog::Entity*> entities;
  for (const catalog::ReliedOn& each : auth::relied_on())
    if (const catalog::Entity* entity = catalog.find(each.entity)) entities.insert(&entity->root());
  for (const auto& entity : catalog.entities())
    if (entity->states && entity->states->property && entity->states->property->target)
      entities.insert(&entity->states->property->target->root());
  return entities;
}

Result<bool> is_unused(storage::Connection& connection, const catalog::Catalog& catalog) {
  const auto without = uncounted(catalog);
  for (const auto& entity : catalog.entities()) {
    if (entity->parent || without.count(entity.get()) > 0) continue;
    Sql sql("SELECT 1 FROM ");
    sql << entity->table << " LIMIT 1";
    CALLISTO_TRY(const bool found, has_row(connection, sql));
    if (found) return false;
  }
  return true;
}

}  // namespace

Result<void> bring_starter(storage::Database& database, const records::Model& model, const std::string& folder,
                           const Clock& clock, Random& random) {
  static const Sql settle("INSERT INTO desk_fact (name, value) VALUES (?1, ?2)");
  {
    CALLISTO_TRY(const auto reader, database.connect_reader());
    CALLISTO_TRY(const bool settled, is_settled(*reader));
    if (settled) return {};
  }
  return database.write_alone([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const bool settled, is_settled(connection));
    if (settled) return {};  // by another node, a moment ago
    CALLISTO_TRY(const bool unused, is_unused(connection, model.catalog()));
    const bool is_there = std::filesystem::is_directory(folder);
    if (unused && !is_there) log::warning("there is no folder " + folder + ": the desk begins without its lists");
    if (unused && is_there) {
      CALLISTO_CHECK(load_desk_files(connection, model, folder, {clock.now(), random}, Unknown::Skipped));
      log::info("the database was empty: it has the lists of " + folder + " now, to be changed as you like");
    }
    CALLISTO_CHECK(
        connection.execute(settle, {Value(std::string(fact)), Value(std::string(unused ? "brought" : "used"))}));
    return {};
  });
}

Result<void> keep_states(storage::Database& database, const records::Model& model, const Clock& clock, Random& random) {
  {
    CALLISTO_TRY(const auto reader, database.connect_reader());
    CALLISTO_TRY(const bool lacks, records::lacks_state_rows(model, *reader));
    if (!lacks) return {};
  }
  records::KeptStates kept;
  CALLISTO_CHECK(database.write_alone([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(kept, records::keep_state_rows(model, connection, clock.now(), random));
    return {};
  }));
  for (const std::string& line : kept.impossible) log::warning(line);
  if (kept.made + kept.renamed + kept.restored > 0)
    log::info("states: " + std::to_string(kept.made) + " rows made, " + std::to_string(kept.renamed) + " renamed, " +
              std::to_string(kept.restored) + " brought back, as states.lua says");
  return {};
}

}  // namespace callisto::app
