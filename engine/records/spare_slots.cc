#include "engine/records/spare_slots.h"

namespace callisto::records {

Slots::Lease SpareSlots::try_borrow(FairTurns::Owner owner, const std::optional<storage::Commits>& commits,
                                    Clock::time_point now) {
  if (waiting_ >= most_ * most_waiting || !commits || commits->others_write || !is_quiet(commits->number, now))
    return {};
  auto lease = slots_.try_borrow(owner);
  if (!lease && add()) return slots_.try_borrow(owner);
  return lease;
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
bool SpareSlots::add() {
  const std::unique_lock lock(making_, std::try_to_lock);
  if (!lock || !can_make_ || slots_.size() >= most_) return false;
  auto made = make_();
  can_make_ = static_cast<bool>(made);
  if (made) slots_.add(*std::move(made));
  return can_make_;
}

}  // namespace callisto::records
