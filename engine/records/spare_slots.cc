#include "engine/records/spare_slots.h"

#include <system_error>

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
  if (!lease) add(part, now);
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

void SpareSlots::add(Part& part, Clock::time_point now) {
  const std::lock_guard lock(making_);
  if (is_making_ || now < make_again_at_ || part.slots.size() >= part.most) return;
  try {
    maker_ = std::jthread([this, &part, now] { make(part, now); });
    is_making_ = true;
  } catch (const std::system_error&) {  // no more threads
    make_again_at_ = now + made_again_after;
  }
}

void SpareSlots::make(Part& part, Clock::time_point now) {
  auto made = make_();
  if (made) part.slots.add(*std::move(made));
  const std::lock_guard lock(making_);
  if (!made) make_again_at_ = now + made_again_after;
  is_making_ = false;
}

bool SpareSlots::is_making() const {
  const std::lock_guard lock(making_);
  return is_making_;
}

}  // namespace callisto::records
