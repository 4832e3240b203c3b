// What the server does by itself: actions with `due`, on the records for which their time has come. Each record is a
// transaction of its own, as a request would be, done by nobody in particular. One thread at a time.
#pragma once

#include "engine/records/slot.h"
#include "engine/records/write.h"

#include <memory>

namespace callisto::records {

class DueActions {
 public:
  // The slot is its own; references must outlive it.
  DueActions(const Model& model, Writer& writer, std::unique_ptr<Slot> slot);

  // How many actions were done. What cannot be done to one record is logged and keeps nobody else waiting; it is tried
  // again the next time. An error: the database could not be read.
  Result<std::size_t> run();

 private:
  Result<std::vector<std::int64_t>> keys(const Model::Due& due);
  Result<bool> perform(const Model::Due& due, std::int64_t key);

  const Model& model_;
  Writer& writer_;
  const std::unique_ptr<Slot> slot_;
  const auth::Session nobody_;  // an analyst without a person, who sees all partitions
};

}  // namespace callisto::records
