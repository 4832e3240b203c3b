// Purging: removes for good the rows that were deleted long enough ago, with their history and files, if no row,
// deleted or not, refers to them by a lookup. A row that only refers to itself is removed; rows that refer to each
// other in a circle are not. The caller has the database to itself, or makes sure that nobody restores or refers to
// such rows meanwhile. Errors are for the operator.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/catalog/catalog.h"
#include "engine/events/sink.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace callisto::records {

// What goes, of one hierarchy of entities.
struct Purgeable {
  const catalog::Entity* root = nullptr;
  std::vector<std::int64_t> keys;  // ascending
  std::int64_t held = 0;           // deleted as long ago, but referred to
};

// `only`: rows of this entity and its children; null: of all. Reads every lookup that leads to such rows, without an
// index where it has none.
Result<std::vector<Purgeable>> find_purgeable(storage::Connection& connection, const catalog::Catalog& catalog,
                                              const catalog::Entity* only, DateTime deleted_before);

struct Purged {
  std::map<std::string, std::int64_t> rows;  // by the entity's final type; history and files too
  std::int64_t bytes = 0;                    // of files
  std::int64_t held = 0;
};
using Forget = std::function<Result<void>(storage::Connection&, const catalog::Entity& root, std::int64_t key)>;
// Bytes that are about to go: who refers to them keeps them now (events::Sink::replacing).
using Replacing = std::function<Result<void>(storage::Connection&, const events::Replaced&)>;
struct Purging {
  Forget forget;
  Replacing replacing;
  DateTime now;
};

// Removes them, in transactions of some hundred rows. What was held by a row that went goes with the next round, until
// nothing more does. `purging.forget`: what else is kept of such a row. `purged` tells what is gone, after an error
// too.
Result<void> purge(storage::Database& database, const Model& model, const catalog::Entity* only,
                   DateTime deleted_before, const Purging& purging, Purged& purged);

}  // namespace callisto::records
