#include "engine/records/due_figures.h"

#include <algorithm>

namespace callisto::records {

namespace {
constexpr std::int64_t hour_ms = 60 * 60'000;
}  // namespace

void DueFigures::serve(const std::set<DueName>& names) {
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& entry) { return names.count(entry.first) == 0; });
  for (const DueName& name : names) entries_[name];
}

void DueFigures::saw(const DueName& name, std::map<std::int64_t, DateTime> due, std::size_t left_alone) {
  const std::lock_guard lock(mutex_);
  Entry& entry = entries_[name];
  for (auto& [record, since] : due)
    if (const auto known = entry.since.find(record); known != entry.since.end())
      since.ms = std::min(since.ms, known->second.ms);
  entry.since = std::move(due);
  entry.figure.left_alone = left_alone;
}

void DueFigures::count(const DueName& name, DueOutcome outcome) {
  const std::lock_guard lock(mutex_);
  Figure& figure = entries_[name].figure;
  ++(outcome == DueOutcome::Done ? figure.done : outcome == DueOutcome::Undone ? figure.undone : figure.failed);
}

void DueFigures::settled(const DueName& name, std::int64_t record) {
  const std::lock_guard lock(mutex_);
  entries_[name].since.erase(record);
}

void DueFigures::done(const DueName& name, std::int64_t record, DateTime now) {
  const std::lock_guard lock(mutex_);
  auto& hours = entries_[name].hours;
  std::erase_if(hours, [&](const auto& hour) { return now.ms - hour.second.begin.ms >= hour_ms; });
  Entry::Hour& hour = hours.try_emplace(record, Entry::Hour{now}).first->second;
  ++hour.times;
}

bool DueFigures::is_too_often(const DueName& name, std::int64_t record, DateTime now) const {
  const std::lock_guard lock(mutex_);
  const auto entry = entries_.find(name);
  if (entry == entries_.end()) return false;
  const auto hour = entry->second.hours.find(record);
  return hour != entry->second.hours.end() && now.ms - hour->second.begin.ms < hour_ms &&
         hour->second.times >= most_in_an_hour;
}

std::map<DueName, DueFigures::Figure> DueFigures::all() const {
  const std::lock_guard lock(mutex_);
  std::map<DueName, Figure> all;
  for (const auto& [name, entry] : entries_) {
    Figure figure = entry.figure;
    figure.waiting = entry.since.size();
    for (const auto& [record, since] : entry.since)
      if (!figure.oldest || since.ms < figure.oldest->ms) figure.oldest = since;
    all.emplace(name, figure);
  }
  return all;
}

}  // namespace callisto::records
