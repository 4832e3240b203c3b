// Inserts rows into entity tables as they are: for sample data and imports, which bring their own keys, dates and
// states. A missing value gets the property's default; missing key, Id, dates, Version and a partition that limits who
// sees the row are filled in. Inside a WriteFunction, on its thread; one Inserter per transaction.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/base/result.h"
#include "engine/base/value.h"
#include "engine/catalog/catalog.h"
#include "engine/catalog/property_values.h"
#include "engine/records/store.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace callisto::records {

struct NewRow {
  const catalog::Entity* entity = nullptr;  // a final type
  catalog::PropertyValues values;           // already checked
};

// The next free key of an entity whose key is one property; 503 where its type holds no greater one.
Result<std::int64_t> next_key(storage::Connection& connection, const catalog::Entity& entity);
// Whether no key would be left for records made after one with this key.
bool is_last_key(const catalog::Property& key, std::int64_t used);
// What is said where the counter of `property` ("Ref of call") is at its end.
Error no_number_left(const catalog::Entity& entity, const catalog::Property& property);
// The key of the lowest row of what `lookup` leads to, the partitions of a desk. Where there is none, one is made: a
// record whose readers are limited by a partition cannot be without it.
Result<std::int64_t> lowest_partition(const Store& store, storage::Connection& connection,
                                      const catalog::Property& lookup, DateTime now, Random& random);

class Inserter {
 public:
  // The store, the connection and the source of randomness outlive it.
  Inserter(const Store& store, storage::Connection& connection, DateTime now, Random& random)
      : store_(store), connection_(connection), now_(now), random_(random) {}

  // The row's key (Ref; 0 for a composite key). A key that is taken fails the transaction.
  // `row` has everything that was filled in afterwards.
  Result<std::int64_t> insert(NewRow& row);
  // Once, after the last row: later keys will be above those that rows brought along.
  Result<void> finish();

 private:
  Result<std::int64_t> settle_key(NewRow& row);
  void fill_in(NewRow& row);
  Result<void> settle_partition(NewRow& row);

  const Store& store_;
  storage::Connection& connection_;
  DateTime now_;
  Random& random_;
  std::map<std::string, std::int64_t> brought_;  // by table: the greatest key that a row brought
  std::optional<std::int64_t> partition_;        // the lowest, once it was asked for
};

}  // namespace callisto::records
