// FactsCache: what was read of sessions' persons and lists, as they were after so many commits; where other processes
// write too, as they were a second ago at most (trust.md E.3). Part of the Model, whose session lists they are of. Any
// thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/script/state.h"
#include "engine/storage/database.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace callisto::records {

// What is null was not asked for yet.
struct ReadFacts {
  using Clock = std::chrono::steady_clock;
  Clock::time_point since = Clock::now();  // nothing was read before
  std::shared_ptr<const script::SessionFacts::Person> person = nullptr;
  std::vector<std::shared_ptr<const script::SessionFacts::List>> lists = {};  // by place in Model::lists
};

class FactsCache {
 public:
  // Those that are of this state of the database; else none.
  ReadFacts find(const auth::Session& session, const storage::Commits& commits) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_session_.find(session.id);
    if (found == by_session_.end() || found->second.commits != commits.number) return {};
    const ReadFacts& facts = found->second.facts;
    if (commits.others_write && ReadFacts::Clock::now() - facts.since >= longest) return {};
    return facts;
  }

  void keep(const auth::Session& session, const storage::Commits& commits, const ReadFacts& facts) const {
    const std::lock_guard lock(mutex_);
    if (by_session_.size() >= most) by_session_.clear();
    by_session_[session.id] = {commits.number, facts};
  }

 private:
  static constexpr std::size_t most = 10'000;
  static constexpr std::chrono::seconds longest{1};
  struct Entry {
    std::uint64_t commits = 0;
    ReadFacts facts;
  };
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::int64_t, Entry> by_session_;
};

}  // namespace callisto::records
