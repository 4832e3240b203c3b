// TimedSlot: a slot lent to one request. Where the request is timed, its connection is one that looks at the clock, and
// what it found is added to Seen at the end. One thread; what reads through the slot goes first.
#pragma once

#include "engine/api/seen.h"
#include "engine/records/slot.h"

namespace callisto::api {

class TimedSlot {
 public:
  TimedSlot(records::Slots::Lease lease, Seen* seen);
  TimedSlot(TimedSlot&& other) noexcept : lease_(std::move(other.lease_)), seen_(std::exchange(other.seen_, nullptr)) {}
  TimedSlot& operator=(TimedSlot&&) = delete;
  ~TimedSlot();

  records::Slot& operator*() const { return *lease_; }
  records::Slot* operator->() const { return &*lease_; }

 private:
  records::Slots::Lease lease_;
  Seen* seen_;  // null: it is not timed
};

}  // namespace callisto::api
