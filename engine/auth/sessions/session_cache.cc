#include "engine/auth/sessions/session_cache.h"

#include <mutex>

namespace callisto::auth {

namespace {

constexpr std::int64_t fresh_ms = 1000;

}  // namespace

std::shared_ptr<const Session> SessionCache::find(const Digest& digest, const Moment& moment) const {
  const Shard& shard = shard_of(digest);
  std::shared_lock lock(shard.mutex);
  const auto entry = shard.entries.find(digest);
  if (entry == shard.entries.end() || moment.steady_ms >= entry->second.fresh_until) return nullptr;
  if (moment.now >= entry->second.live.expires) return nullptr;
  return entry->second.live.session;
}

std::uint64_t SessionCache::generation(const Digest& digest) const {
  const Shard& shard = shard_of(digest);
  std::shared_lock lock(shard.mutex);
  return shard.generation;
}

void SessionCache::insert(const Digest& digest, const LiveSession& live, const Moment& moment,
                          std::uint64_t generation) {
  Shard& shard = shard_of(digest);
  std::unique_lock lock(shard.mutex);
  if (shard.generation != generation) return;
  if (shard.entries.size() >= entries_per_shard_) make_room(shard, moment.steady_ms);
  shard.entries.insert_or_assign(digest, Entry{live, moment.steady_ms + fresh_ms});
}

void SessionCache::make_room(Shard& shard, std::int64_t steady_ms) const {
  std::erase_if(shard.entries, [&](const auto& entry) { return steady_ms >= entry.second.fresh_until; });
  if (shard.entries.size() >= entries_per_shard_) shard.entries.erase(shard.entries.begin());
}

void SessionCache::forget(std::int64_t session) {
  for (Shard& shard : shards_) {
    std::unique_lock lock(shard.mutex);
    ++shard.generation;
    std::erase_if(shard.entries, [&](const auto& entry) { return entry.second.live.session->id == session; });
  }
}

void SessionCache::forget_all() {
  for (Shard& shard : shards_) {
    std::unique_lock lock(shard.mutex);
    ++shard.generation;
    shard.entries.clear();
  }
}

}  // namespace callisto::auth
