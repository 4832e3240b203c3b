#include "engine/app/serving/licences.h"

namespace callisto::app {

Result<Licences> licences_of(auth::Reader& reader) {
  static const Sql sql("SELECT in_use, capacity FROM licence_pool WHERE id = 1");
  return reader.read([](storage::Connection& connection) -> Result<Licences> {
    CALLISTO_TRY(auto cursor, connection.query(sql, {}));
    CALLISTO_TRY(const bool found, cursor->step());
    return found ? Licences{cursor->integer(0), cursor->integer(1)} : Licences();
  });
}

}  // namespace callisto::app
