#include "engine/base/token_buckets.h"

#include <algorithm>

namespace callisto {

TokenBuckets::TokenBuckets(std::int64_t amount, std::int64_t period_ms, std::size_t most_keys)
    : amount_(amount), period_ms_(period_ms), capacity_(amount * period_ms), most_keys_(most_keys) {}

int TokenBuckets::take(const std::string& key, std::int64_t steady_ms, std::int64_t amount) {
  if (amount_ <= 0 || amount <= 0) return 0;
  const std::int64_t wanted = std::min(amount, amount_) * period_ms_;
  const bool ever = amount <= amount_;
  const std::lock_guard lock(mutex_);
  Bucket& bucket = bucket_of(key, steady_ms);
  bucket = {level_at(bucket, steady_ms), steady_ms};
  if (!ever || bucket.level < wanted) {
    refused_.fetch_add(1, std::memory_order_relaxed);
    const std::int64_t missing_ms = (wanted - bucket.level + amount_ - 1) / amount_;
    return static_cast<int>(std::max<std::int64_t>(1, (missing_ms + 999) / 1000));
  }
  bucket.level -= wanted;
  return 0;
}

std::int64_t TokenBuckets::level_at(const Bucket& bucket, std::int64_t steady_ms) const {
  const std::int64_t elapsed = std::min(steady_ms - bucket.filled_at, period_ms_);
  return std::min(capacity_, bucket.level + elapsed * amount_);
}

TokenBuckets::Bucket& TokenBuckets::bucket_of(const std::string& key, std::int64_t steady_ms) {
  if (const auto known = buckets_.find(key); known != buckets_.end()) return known->second;
  if (buckets_.size() >= most_keys_)  // a full bucket says nothing that a new one would not
    std::erase_if(buckets_, [&](const auto& entry) { return level_at(entry.second, steady_ms) >= capacity_; });
  const std::string kept = buckets_.size() >= most_keys_ ? std::string() : key;
  return buckets_.try_emplace(kept, Bucket{capacity_, steady_ms}).first->second;
}

}  // namespace callisto
