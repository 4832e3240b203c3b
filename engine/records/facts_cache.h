// FactsCache: the facts of sessions as they were after so many commits; where other processes write too, as they were a
// second ago at most (trust.md E.3). Part of the Model, whose session lists they are of. Any thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/script/state.h"
#include "engine/storage/database.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace callisto::records {

class FactsCache {
 public:
  using Facts = std::shared_ptr<const script::SessionFacts>;

  // Null where there are none, or not of this state of the database.
  Facts find(const auth::Session& session, const storage::Commits& commits) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_session_.find(session.id);
    if (found == by_session_.end() || found->second.commits != commits.number) return nullptr;
    if (commits.others_write && Clock::now() - found->second.read >= longest) return nullptr;
    return found->second.facts;
  }

  // `read`: before they were.
  using Clock = std::chrono::steady_clock;
  void insert(const auth::Session& session, const storage::Commits& commits, Facts facts,
              Clock::time_point read) const {
    const std::lock_guard lock(mutex_);
    if (by_session_.size() >= most) by_session_.clear();
    by_session_[session.id] = {commits.number, std::move(facts), read};
  }

 private:
  static constexpr std::size_t most = 10'000;
  static constexpr std::chrono::seconds longest{1};
  struct Entry {
    std::uint64_t commits = 0;
    Facts facts;
    Clock::time_point read;
  };
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::int64_t, Entry> by_session_;
};

}  // namespace callisto::records
