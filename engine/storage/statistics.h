// What SQLite's planner knows of how many rows a value has: samples of each index, made anew after much has changed
// (PostgreSQL does so by itself). Without them it takes every equality for a rare one. One thread at a time.
#pragma once

#include "engine/base/result.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace callisto::storage {

class Statistics {
 public:
  Statistics(Database& database, std::vector<TableSpec> tables);

  // Looks at the size of each table, and samples the indexes of those that have grown or shrunk by a tenth: each in a
  // write of its own, of some milliseconds. True: something was made anew.
  Result<bool> run();

 private:
  Result<bool> is_due(const TableSpec& table);
  Result<void> sample(const TableSpec& table);
  Result<void> sample_index(const TableSpec& table, const std::string& index);
  Result<void> tell_readers();

  Database& database_;
  std::vector<TableSpec> tables_;
  std::unique_ptr<Connection> reader_;
  std::map<std::string, std::int64_t> known_;  // rows of a table when it was sampled
};

}  // namespace callisto::storage
