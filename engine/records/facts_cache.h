// FactsCache: the facts of sessions as they were after so many commits. Part of the Model, whose session lists they are
// of. Any thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/script/state.h"

#include <cstdint>
#include <memory>
#include <mutex>
#include <unordered_map>

namespace callisto::records {

class FactsCache {
 public:
  using Facts = std::shared_ptr<const script::SessionFacts>;

  // Null where there are none, or not of this state of the database.
  Facts find(const auth::Session& session, std::uint64_t commits) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_session_.find(session.id);
    return found != by_session_.end() && found->second.commits == commits ? found->second.facts : nullptr;
  }

  void insert(const auth::Session& session, std::uint64_t commits, Facts facts) const {
    const std::lock_guard lock(mutex_);
    if (by_session_.size() >= most) by_session_.clear();
    by_session_[session.id] = {commits, std::move(facts)};
  }

 private:
  static constexpr std::size_t most = 10'000;
  struct Entry {
    std::uint64_t commits = 0;
    Facts facts;
  };
  mutable std::mutex mutex_;
  mutable std::unordered_map<std::int64_t, Entry> by_session_;
};

}  // namespace callisto::records
