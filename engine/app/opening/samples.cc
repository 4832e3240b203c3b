#include "engine/app/opening/samples.h"

#include "engine/app/opening/desk_files.h"
#include "engine/base/log.h"

namespace callisto::app {

namespace {

// A desk has data as soon as it has a person.
Result<bool> is_empty(storage::Connection& connection, const catalog::Catalog& catalog) {
  const catalog::Entity* person = catalog.find(catalog::system::person_entity);
  if (!person) return true;
  Sql sql("SELECT 1 FROM ");
  sql << person->table << SqlLiteral(" LIMIT 1");
  CALLISTO_TRY(auto cursor, connection.query(sql, {}));
  CALLISTO_TRY(const bool found, cursor->step());
  return !found;
}

}  // namespace

Result<void> load_samples(storage::Database& database, const records::Model& model, const std::string& folder,
                          const Clock& clock, Random& random) {
  return database.write_alone([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(const bool empty, is_empty(connection, model.catalog()));
    if (!empty) {
      log::info("the database has data already: the sample data is not loaded");
      return {};
    }
    return load_desk_files(connection, model, folder, {clock.now(), random}, Unknown::Refused);
  });
}

}  // namespace callisto::app
