#include "engine/auth/attempts.h"

#include <arpa/inet.h>

#include <algorithm>

namespace callisto::auth {

namespace {

constexpr std::int64_t minute_ms = 60'000;
constexpr std::int64_t known_ms = 12 * 60 * minute_ms;

std::string key_of(std::int64_t person, const std::string& address) {
  return std::to_string(person) + " " + address_group(address);
}

}  // namespace

AttemptLimiter::AttemptLimiter(int per_minute, std::size_t most_addresses)
    : per_minute_(per_minute), capacity_(per_minute * minute_ms), most_addresses_(most_addresses) {}

int AttemptLimiter::take(const std::string& address, std::int64_t steady_ms) {
  if (per_minute_ <= 0) return 0;
  std::lock_guard lock(mutex_);
  Bucket& bucket = bucket_of(address_group(address), steady_ms);
  bucket = {level_at(bucket, steady_ms), steady_ms};
  if (bucket.level < minute_ms) {
    const std::int64_t per_second = per_minute_ * 1000;
    return static_cast<int>((minute_ms - bucket.level + per_second - 1) / per_second);
  }
  bucket.level -= minute_ms;
  return 0;
}

std::int64_t AttemptLimiter::level_at(const Bucket& bucket, std::int64_t steady_ms) const {
  const std::int64_t elapsed = std::min(steady_ms - bucket.filled_at, minute_ms);
  return std::min(capacity_, bucket.level + elapsed * per_minute_);
}

AttemptLimiter::Bucket& AttemptLimiter::bucket_of(const std::string& address, std::int64_t steady_ms) {
  if (const auto known = buckets_.find(address); known != buckets_.end()) return known->second;
  if (buckets_.size() >= most_addresses_)  // a full bucket says nothing that a new one would not
    std::erase_if(buckets_, [&](const auto& entry) { return level_at(entry.second, steady_ms) >= capacity_; });
  // Under an attack from more addresses than are remembered, the newcomers share one bucket.
  const std::string key = buckets_.size() >= most_addresses_ ? std::string() : address;
  return buckets_.try_emplace(key, Bucket{capacity_, steady_ms}).first->second;
}

void KnownAddresses::add(std::int64_t person, const std::string& address, std::int64_t steady_ms) {
  std::lock_guard lock(mutex_);
  if (since_.size() >= most_)
    std::erase_if(since_, [&](const auto& entry) { return steady_ms - entry.second >= known_ms; });
  if (since_.size() < most_) since_.insert_or_assign(key_of(person, address), steady_ms);
}

void KnownAddresses::remove(std::int64_t person, const std::string& address) {
  std::lock_guard lock(mutex_);
  since_.erase(key_of(person, address));
}

bool KnownAddresses::knows(std::int64_t person, const std::string& address, std::int64_t steady_ms) {
  std::lock_guard lock(mutex_);
  const auto known = since_.find(key_of(person, address));
  return known != since_.end() && steady_ms - known->second < known_ms;
}

std::string address_group(const std::string& address) {
  in6_addr six{};
  if (inet_pton(AF_INET6, address.c_str(), &six) != 1) return address;
  const auto* bytes = reinterpret_cast<const char*>(six.s6_addr);
  if (!IN6_IS_ADDR_V4MAPPED(&six)) return std::string(bytes, 8);
  char four[INET_ADDRSTRLEN] = {};
  inet_ntop(AF_INET, bytes + 12, four, sizeof four);
  return four;
}

}  // namespace callisto::auth
