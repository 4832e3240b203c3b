// RecordCache: records that writes have read and nobody has changed since. Most writes look at the same few: a
// priority, a group, the person who writes. Belongs to one Model.
//
// Requires: one transaction at a time. Invariants: a record stays in it while its table's version stays.
#pragma once

#include "engine/records/store.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace callisto::records {

struct Context;

class RecordCache {
 public:
  // As Store::load.
  Result<std::optional<Record>> load(const Store& store, storage::Connection& connection, const catalog::Entity& entity,
                                     std::int64_t key);

 private:
  static constexpr std::size_t most = 1000;  // of a table
  struct Table {
    std::uint64_t version = 0;  // of the database's, of which these are
    std::unordered_map<std::int64_t, Record> records;
  };
  std::unordered_map<const catalog::Entity*, Table> tables_;  // by root
};

// As Store::load; from those that are kept where the context has some.
Result<std::optional<Record>> load(const Context& context, const catalog::Entity& entity, std::int64_t key);

}  // namespace callisto::records
