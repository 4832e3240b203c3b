// SessionCache: the sessions of recently used access tokens, by digest. Bounded; any thread; a hit takes a shared lock
// of one shard. An entry is valid for a second, then the database is asked again. So changes by another program (an
// ended session, a role) take effect within that second; sessions that this program ends are forgotten at once.
#pragma once

#include "engine/auth/session.h"
#include "engine/auth/token.h"

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <shared_mutex>
#include <unordered_map>

namespace callisto::auth {

struct LiveSession {
  std::shared_ptr<const Session> session;
  DateTime expires;  // the access token's end, or the session's where that comes first
};

class SessionCache {
 public:
  // Two readings of the one clock.
  struct Moment {
    DateTime now;
    std::int64_t steady_ms = 0;
  };

  explicit SessionCache(std::size_t entries_per_shard = 2048) : entries_per_shard_(entries_per_shard) {}

  std::shared_ptr<const Session> find(const Digest& digest, const Moment& moment) const;

  // Asked before the database is read and handed to insert: what was read before a forget() is not kept after it.
  std::uint64_t generation(const Digest& digest) const;
  void insert(const Digest& digest, const LiveSession& live, const Moment& moment, std::uint64_t generation);
  void forget(std::int64_t session);
  void forget_all();

 private:
  struct Hash {  // a digest is random already
    std::size_t operator()(const Digest& digest) const {
      std::size_t value = 0;
      std::memcpy(&value, digest.data(), sizeof value);
      return value;
    }
  };
  struct Entry {
    LiveSession live;
    std::int64_t fresh_until = 0;
  };
  struct Shard {
    mutable std::shared_mutex mutex;
    std::unordered_map<Digest, Entry, Hash> entries;
    std::uint64_t generation = 0;
  };

  void make_room(Shard& shard, std::int64_t steady_ms) const;
  const Shard& shard_of(const Digest& digest) const { return shards_[digest.back() % shards_.size()]; }
  Shard& shard_of(const Digest& digest) { return shards_[digest.back() % shards_.size()]; }

  const std::size_t entries_per_shard_;
  std::array<Shard, 16> shards_;
};

}  // namespace callisto::auth
