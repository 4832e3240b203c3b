// SessionDataCache: the persons and lists of sessions, and the values that extensions computed for them, valid while
// the tables that they were read from do not change; if other processes write too, for a second at most (decision
// 0018). Part of the Model whose session lists it keeps. Any thread.
//
// Invariants: an entry is never newer than the state that it is filed under; an older one is not found.
#pragma once

#include "engine/auth/session.h"
#include "engine/records/extension_cache.h"
#include "engine/script/state.h"
#include "engine/storage/database.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace callisto::records {

// What is null was not asked for yet.
struct ReadFacts {
  using Clock = std::chrono::steady_clock;
  Clock::time_point since = Clock::now();  // nothing was read before
  std::shared_ptr<const script::SessionFacts::Person> person = nullptr;
  std::vector<std::shared_ptr<const script::SessionFacts::List>> lists = {};  // by place in Model::lists
  std::shared_ptr<ExtensionCache> answers = nullptr;
};

class SessionDataCache {
 public:
  void read_from(std::vector<std::string> tables) { tables_ = std::move(tables); }  // before it is used

  // The state of those tables: of what is read after asking, or an older one. Of the whole database where nothing tells
  // of tables; nothing where nothing may be kept.
  std::optional<storage::Commits> state(const storage::Connection& connection) const {
    auto state = connection.commits();
    if (!state || state->others_write) return state;
    const std::lock_guard lock(mutex_);
    if (summed_at_ != state->number) {
      std::uint64_t sum = 0;
      for (const std::string& table : tables_) {
        const auto version = connection.version_of(table);
        if (!version) return state;
        sum += *version;  // each of them only grows
      }
      sum_ = sum;
      summed_at_ = state->number;
    }
    state->number = sum_;
    return state;
  }

  // Those that are of this state; else none.
  ReadFacts find(const auth::Session& session, const storage::Commits& state) const {
    const std::lock_guard lock(mutex_);
    const auto found = by_session_.find(key_of(session));
    if (found == by_session_.end()) return {};
    const Entry& entry = found->second;
    if (entry.state != state.number || entry.type != session.type || entry.rights != session.rights ||
        entry.partitions != session.partitions)
      return {};
    if (state.others_write && ReadFacts::Clock::now() - entry.facts.since >= longest) return {};
    return entry.facts;
  }

  void keep(const auth::Session& session, const storage::Commits& state, const ReadFacts& facts) const {
    const std::lock_guard lock(mutex_);
    if (by_session_.size() >= most) by_session_.clear();
    by_session_[key_of(session)] = {state.number, session.type, session.rights, session.partitions, facts};
  }

 private:
  static constexpr std::size_t most = 2000;
  static constexpr std::chrono::seconds longest{1};
  // What the server does by itself, for one person or another, has no session's number.
  using Key = std::pair<std::int64_t, std::optional<std::int64_t>>;
  static Key key_of(const auth::Session& session) { return {session.id, session.person}; }
  struct Entry {
    std::uint64_t state = 0;
    auth::SessionType type{};
    std::set<std::string> rights;
    std::optional<std::vector<std::int64_t>> partitions;
    ReadFacts facts;
  };
  std::vector<std::string> tables_;
  mutable std::mutex mutex_;
  mutable std::map<Key, Entry> by_session_;
  mutable std::optional<std::uint64_t> summed_at_;  // after so many commits
  mutable std::uint64_t sum_ = 0;                   // of the tables' versions
};

}  // namespace callisto::records
