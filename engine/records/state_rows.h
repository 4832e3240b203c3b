// The rows that lookups to a state refer to: made from states.lua, so that each state is defined once. Inside a
// WriteFunction of write_alone; its thread.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/random.h"
#include "engine/records/model.h"
#include "engine/storage/database.h"

#include <string>
#include <vector>

namespace callisto::records {

struct KeptStates {
  std::size_t made = 0, renamed = 0, restored = 0;
  std::vector<std::string> impossible;  // with the reason
};

// A row for each state that has none, with its number as key; one that was deleted is back; one that is called as the
// state was `formerly` is called as it is now. Any other name is an administrator's, and stays.
Result<KeptStates> keep_state_rows(const Model& model, storage::Connection& connection, DateTime now, Random& random);
// Whether there is anything to do; reads only.
Result<bool> lacks_state_rows(const Model& model, storage::Connection& connection);

}  // namespace callisto::records
