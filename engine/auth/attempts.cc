#include "engine/auth/attempts.h"

#include <arpa/inet.h>

#include <algorithm>
#include <cmath>

namespace callisto::auth {

namespace {

constexpr double ms_per_minute = 60'000;

}  // namespace

AttemptLimiter::AttemptLimiter(int per_minute, std::size_t most_addresses)
    : capacity_(per_minute), most_addresses_(most_addresses) {}

int AttemptLimiter::take(const std::string& address, std::int64_t steady_ms) {
  if (capacity_ <= 0) return 0;
  std::lock_guard lock(mutex_);
  Bucket& bucket = bucket_of(address_group(address), steady_ms);
  bucket = {level_at(bucket, steady_ms), steady_ms};
  if (bucket.level < 1) {
    const double wait_ms = (1 - bucket.level) * ms_per_minute / capacity_;
    return std::max(1, static_cast<int>(std::ceil(wait_ms / 1000)));
  }
  bucket.level -= 1;
  return 0;
}

double AttemptLimiter::level_at(const Bucket& bucket, std::int64_t steady_ms) const {
  const auto elapsed = static_cast<double>(steady_ms - bucket.filled_at);
  return std::min(capacity_, bucket.level + elapsed * capacity_ / ms_per_minute);
}

AttemptLimiter::Bucket& AttemptLimiter::bucket_of(const std::string& address, std::int64_t steady_ms) {
  if (const auto known = buckets_.find(address); known != buckets_.end()) return known->second;
  if (buckets_.size() >= most_addresses_)  // a full bucket says nothing that a new one would not
    std::erase_if(buckets_, [&](const auto& entry) { return level_at(entry.second, steady_ms) >= capacity_; });
  // Under an attack from more addresses than are remembered, the newcomers share one bucket.
  const std::string key = buckets_.size() >= most_addresses_ ? std::string() : address;
  return buckets_.try_emplace(key, Bucket{capacity_, steady_ms}).first->second;
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
