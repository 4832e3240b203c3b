// Adds newly written rows to the indexes of substrings in the background (storage/sqlite/substrings.h), many rows in
// one transaction. One thread at a time.
#pragma once

#include "engine/base/result.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace callisto::records {

class SubstringIndexer {
 public:
  // The database outlives it. With PostgreSQL there is nothing to do.
  SubstringIndexer(const Model& model, storage::Database& database);

  // Returns when no row waits, or after some ten thousand rows.
  Result<void> run();

 private:
  using Index = std::pair<SqlIdentifier, storage::IndexSpec>;
  Result<std::size_t> take_up(const Index& index);

  std::vector<Index> indexes_;
  storage::Database& database_;
  std::unique_ptr<storage::Connection> reader_;  // from the first run on that has something to look after
};

}  // namespace callisto::records
