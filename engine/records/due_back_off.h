// DueBackOff: the records on which an action with `due` failed and which it leaves alone: until the record or the rules
// change, or for ten minutes, then twenty, and so on up to a day. Kept in the table due_failure, so that all nodes know
// it, also after a restart. The connection's thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace callisto::records {

// After so many tries in a row: 10 min, 20 min, ... a day.
std::int64_t due_pause_ms(std::int64_t tries);

class DueBackOff {
 public:
  explicit DueBackOff(const Model& model);

  struct Failure {
    std::int64_t version = 0, tries = 0;
    DateTime since, again;
    bool is_of_rules = false;  // of those that hold now
    // Whether a record of this version is to be left alone.
    bool holds(std::int64_t of_record, DateTime now) const {
      return is_of_rules && version == of_record && now.ms < again.ms;
    }
  };
  // By record.
  Result<std::map<std::int64_t, Failure>> of(storage::Connection& connection, const Model::Due& due) const;

  // Inside a write. Whether it is the first failure of these rules on this version: it is told once. Where another node
  // has noted the same meanwhile, nothing is.
  Result<bool> note(storage::Connection& connection, const Model::Due& due, std::int64_t record, std::int64_t version,
                    DateTime now) const;
  Result<void> forget(storage::Connection& connection, const Model::Due& due, std::int64_t record) const;

 private:
  const std::string rules_;  // a digest
};

}  // namespace callisto::records
