#include "engine/records/spare_slots.h"

namespace callisto::records {

Slots::Lease SpareSlots::try_borrow(const Request& request, Clock::time_point now) {
  const auto& commits = request.commits;
  const std::size_t most = shared_.most + (request.is_alone ? for_one_.most : 0);
  if (waiting_ >= most * most_waiting || !commits || commits->others_write || !is_quiet(commits->number, now))
    return {};
  auto lease = lend(shared_, request.owner);
  return lease || !request.is_alone ? std::move(lease) : lend(for_one_, request.owner);
}

Slots::Lease SpareSlots::lend(Part& part, FairTurns::Owner owner) {
  auto lease = part.slots.try_borrow(owner);
  return lease || !add(part) ? std::move(lease) : part.slots.try_borrow(owner);
}

// Who looks seldom sees the commits of a long time at once: those that came now and then are no sign of one just now.
bool SpareSlots::is_quiet(std::uint64_t commits, Clock::time_point now) {
  const std::lock_guard lock(looking_);
  if (commits > seen_) {
    const auto more = static_cast<std::int64_t>(commits - seen_);
    if ((now - looked_at_) / more < quiet) written_at_ = now;
    seen_ = commits;
  }
  looked_at_ = now;
  return now - written_at_ >= quiet;
}

// Who comes while one is made does not wait for it. What cannot be made is not tried again.
bool SpareSlots::add(Part& part) {
  const std::unique_lock lock(making_, std::try_to_lock);
  if (!lock || !can_make_ || part.slots.size() >= part.most) return false;
  auto made = make_();
  can_make_ = static_cast<bool>(made);
  if (made) part.slots.add(*std::move(made));
  return can_make_;
}

}  // namespace callisto::records
