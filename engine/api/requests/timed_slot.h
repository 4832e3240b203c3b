// TimedSlot: a slot lent to one request. If the request is timed, the connection measures its work, and the result is
// added to RequestTrace at the end. One thread; everything that reads through the slot is destroyed before it.
#pragma once

#include "engine/api/request_trace.h"
#include "engine/records/slot.h"

namespace callisto::api {

class TimedSlot {
 public:
  TimedSlot(records::Slots::Lease lease, RequestTrace* trace);
  TimedSlot(TimedSlot&& other) noexcept
      : lease_(std::move(other.lease_)), trace_(std::exchange(other.trace_, nullptr)) {}
  TimedSlot& operator=(TimedSlot&&) = delete;
  ~TimedSlot();

  records::Slot& operator*() const { return *lease_; }
  records::Slot* operator->() const { return &*lease_; }

 private:
  records::Slots::Lease lease_;
  RequestTrace* trace_;  // null: it is not timed
};

}  // namespace callisto::api
