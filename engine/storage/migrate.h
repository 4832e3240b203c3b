// Bringing a database up to date: the engine's own tables from the numbered files of sql/, forward only, and entity
// tables from TableSpecs, which only ever grow. Errors are for the operator: the reason is in log_detail.
//
// Invariants: a table only grows; a migration is done whole or not at all.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"
#include "engine/storage/dialect.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::storage {

struct Migration {
  std::int64_t number = 0;  // 1 of "0001_engine.sql"
  std::string name;         // the file's name
  std::string_view sql;
};

struct MigrationPlan {
  std::vector<std::string> statements;  // what is missing, in order; empty: up to date
  std::vector<std::string> problems;    // a column of another type or key, which apply() refuses
};

const std::vector<Migration>& engine_migrations();  // sql/*.sql, by number

// What apply() would do. A database with a migration that is not in `migrations` is newer than the program: an error.
Result<MigrationPlan> plan(Connection& connection, const std::vector<Migration>& migrations,
                           const std::vector<TableSpec>& tables);

// Before each index of a table that is there already: the statement, its number from 1, and of how many.
using Progress = std::function<void(const std::string& statement, std::size_t number, std::size_t of)>;

// Does it and tells what it did: in one transaction, and then the indexes of tables that were there, which may take
// long and which others write between, in one each. Where a column differs it does nothing: what is stored there would
// be read wrongly.
Result<MigrationPlan> apply(Database& database, const std::vector<Migration>& migrations,
                            const std::vector<TableSpec>& tables, DateTime now, const Progress& progress = {});

}  // namespace callisto::storage
