#include "engine/records/spare_slots.h"

namespace callisto::records {

Slots::Lease SpareSlots::try_borrow(const Request& request, Clock::time_point now) {
  const auto& commits = request.commits;
  const std::size_t most = shared_.most + (request.is_alone ? for_one_.most : 0);
  if (waiting_ >= most * most_waiting || !commits || !is_quiet(commits->number, now)) return {};
  auto lease = lend(shared_, request.owner, now);
  return lease || !request.is_alone ? std::move(lease) : lend(for_one_, request.owner, now);
}

Slots::Lease SpareSlots::lend(Part& part, FairTurns::Owner owner, Clock::time_point now) {
  auto lease = part.slots.try_borrow(owner);
  return lease || !add(part, now) ? std::move(lease) : part.slots.try_borrow(owner);
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

// Who comes while one is made does not wait for it.
bool SpareSlots::add(Part& part, Clock::time_point now) {
  const std::unique_lock lock(making_, std::try_to_lock);
  if (!lock || now < make_again_at_ || part.slots.size() >= part.most) return false;
  auto made = make_();
  if (made) part.slots.add(*std::move(made));
  else make_again_at_ = now + made_again_after;
  return static_cast<bool>(made);
}

}  // namespace callisto::records
