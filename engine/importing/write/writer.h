// Writes evaluated groups into the database. Inside a storage::WriteFunction, on its thread; one per batch.
#pragma once

#include "engine/importing/write/evaluate.h"
#include "engine/importing/write/pools.h"
#include "engine/records/insert.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace callisto::importing {

using Counts = std::map<std::string, std::int64_t>;  // records made, by entity

// With savepoints a group goes in whole or not at all, at twice the price; without them, the batch has to be undone
// after a group that cannot be written.
enum class Care { None, Savepoints };

class GroupWriter {
 public:
  GroupWriter(const records::Store& store, storage::Connection& connection, DateTime now, Random& random, Pools& pools,
              Care care)
      : connection_(connection), inserter_(store, connection, now, random), pools_(pools), care_(care) {}

  // Nothing where all went in; else why the group cannot. An error ends the whole batch.
  Result<std::optional<std::string>> write(const Evaluated& group);
  const Counts& counts() const { return counts_; }

 private:
  Result<void> write_whole(const Evaluated& group);
  Result<void> insert_all(const Evaluated& group);
  Result<std::int64_t> insert(const EvaluatedRow& row);
  records::NewRow resolve(const EvaluatedRow& row) const;
  Result<bool> is_taken(const catalog::Entity& entity, const std::vector<const catalog::Property*>& properties,
                        const records::NewRow& row);
  Result<void> check_keys(const EvaluatedRow& from, records::NewRow& row);
  Result<void> check_counters(const records::NewRow& row);
  Error refuse(std::string why);

  storage::Connection& connection_;
  records::Inserter inserter_;
  Pools& pools_;
  Care care_;
  Counts counts_;
  Counts of_group_;
  std::vector<std::int64_t> made_;
  std::int64_t parent_ = 0;
  std::optional<std::string> refusal_;  // why the group at hand cannot be written
};

}  // namespace callisto::importing
