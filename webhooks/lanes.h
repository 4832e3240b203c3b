// Lanes: which of several nodes works for a webhook. A node takes the lane of a webhook for a time, renews that while
// it works and gives the lane back when there is nothing to do. Each time a lane is taken it gets a new number, the
// fence: before a node writes about the webhook's deliveries it checks that it still holds the lane, which fails if
// another took it meanwhile. With one node there are no lanes. Errors are the database's.
//
// Requires: inside a WriteFunction, begin() first. Invariants: a node that writes about a webhook's deliveries holds
// its lane.
#pragma once

#include "engine/base/datetime.h"
#include "engine/base/result.h"
#include "engine/storage/database.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

namespace callisto::webhooks {

// What time it is for all nodes: their own clocks differ.
using CommonTime = std::function<Result<DateTime>(storage::Connection&)>;
Result<DateTime> postgres_time(storage::Connection& connection);

// Each statement sees what has committed by then (decision 0018): of a webhook whose lane is held nobody else writes,
// and the lane's row is locked.
Result<void> begin_lanes(storage::Connection& connection);

struct LaneTime {
  DateTime now, until;
};
struct Taken {
  std::int64_t fence = 0;
  bool run_out = false;  // whoever had it did not give it back
};
// Nothing where another has it, or is about to write.
Result<std::optional<Taken>> take_lane(storage::Connection& connection, std::int64_t webhook, const std::string& owner,
                                       const LaneTime& time);

struct Holding {
  std::int64_t webhook = 0;
  const std::string& owner;
  std::int64_t fence = 0;
};
// False: another took it. Renewed where `until` is given.
Result<bool> hold_lane(storage::Connection& connection, const Holding& holding, std::optional<DateTime> until);
Result<void> note_version(storage::Connection& connection, std::int64_t webhook, std::int64_t version);
Result<void> give_back_lane(storage::Connection& connection, const Holding& holding);

}  // namespace callisto::webhooks
