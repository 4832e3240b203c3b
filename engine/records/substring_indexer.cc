#include "engine/records/substring_indexer.h"

#include "engine/records/schema.h"
#include "engine/storage/upkeep.h"

namespace callisto::records {

namespace {

constexpr std::size_t rows_of_transaction = 500;  // others who write wait for so many, some 10 ms
constexpr std::size_t rows_of_run = 10'000;

}  // namespace

SubstringIndexer::SubstringIndexer(const Model& model, storage::Database& database) : database_(database) {
  if (model.dialect != query::Dialect::Sqlite) return;
  for (const storage::TableSpec& table : tables_of(model.catalog()))
    for (const storage::IndexSpec& index : table.indexes)
      if (index.substrings) indexes_.emplace_back(table.name, index);
}

Result<void> SubstringIndexer::run() {
  if (indexes_.empty()) return {};
  if (!reader_) { CALLISTO_TRY(reader_, database_.connect_reader()); }
  for (const Index& index : indexes_) {
    for (std::size_t done = 0; done < rows_of_run;) {
      CALLISTO_TRY(const bool any, storage::has_unindexed(*reader_, index.first));
      if (!any) break;
      CALLISTO_TRY(const std::size_t rows, take_up(index));
      done += rows;
    }
  }
  return {};
}

Result<std::size_t> SubstringIndexer::take_up(const Index& index) {
  std::size_t rows = 0;
  CALLISTO_CHECK(database_.write([&](storage::Connection& connection) -> Result<void> {
    CALLISTO_TRY(rows, storage::index_substrings(connection, index.first, index.second, rows_of_transaction));
    return {};
  }));
  return rows;
}

}  // namespace callisto::records
