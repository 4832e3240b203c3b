// Rows of types that the catalog lacks: their entity left the desk, or only another node has it. They are kept but not
// found.
#pragma once

#include "engine/base/result.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <string>
#include <vector>

namespace callisto::records {

struct UnknownType {
  const catalog::Entity* root;
  std::string type;  // as it is stored
  std::int64_t rows;
};

// Once, before the model is served: fills Model::with_unknown_types. The connection's thread; one seek for each type
// that is stored.
Result<std::vector<UnknownType>> find_unknown_types(Model& model, storage::Connection& connection);

// The types of the rows of a table, in order, and how many rows are of one.
Result<std::vector<std::string>> stored_types(storage::Connection& connection, const SqlIdentifier& table,
                                              const SqlIdentifier& column);
Result<std::int64_t> rows_of_type(storage::Connection& connection, const SqlIdentifier& table,
                                  const SqlIdentifier& column, const std::string& type);

}  // namespace callisto::records
