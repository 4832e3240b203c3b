// What the server does by itself: actions with `due`, on the records for which their time has come. Each record is a
// transaction of its own, as a request would be, done by nobody in particular. One thread at a time.
#pragma once

#include "engine/records/slot.h"
#include "engine/records/write.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

namespace callisto::records {

class DueActions {
 public:
  // The slot is its own; references must outlive it.
  DueActions(const Model& model, Writer& writer, std::unique_ptr<Slot> slot);

  // How many actions were done. What cannot be done to one record is logged and keeps nobody else waiting: it is tried
  // again once all others had their turn, of which there are so many in one run. An error: the database could not be
  // read.
  static constexpr std::size_t most_at_once = 1000;
  Result<std::size_t> run();

 private:
  Result<std::vector<std::int64_t>> keys(const Model::Due& due);
  Result<bool> perform(const Model::Due& due, std::int64_t key);

  const Model& model_;
  Writer& writer_;
  const std::unique_ptr<Slot> slot_;
  std::map<const Model::Due*, std::int64_t> last_;  // the record whose turn came last
  const auth::Session nobody_;                      // an analyst without a person, who sees all partitions
};

}  // namespace callisto::records
