// Slot: what one running request needs for itself: a read connection with its kept statements, a Lua state, an output
// buffer. There are 3 for each core, and spare ones (spare_slots.h); thousands of connections share them, and
// persons take turns (fair_turns.h).
#pragma once

#include "engine/base/pool.h"
#include "engine/records/model.h"
#include "engine/script/state.h"
#include "engine/storage/database.h"

#include <memory>
#include <string>

namespace callisto::records {

struct Slot {
  std::unique_ptr<storage::Connection> connection;
  std::unique_ptr<script::State> scripts;
};

using Slots = FairPool<Slot>;

}  // namespace callisto::records
