// TokenBuckets: a rate for each key, such as an address, a person or a session. A bucket holds `amount` and fills up
// again within `period_ms`. In memory, at most `most_keys` keys of about 100 bytes: when an attack uses more keys than
// that, the newcomers share one bucket. Any thread.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace callisto {

class TokenBuckets {
 public:
  // An amount of 0: unlimited. `amount` times `period_ms` is below 2^62.
  TokenBuckets(std::int64_t amount, std::int64_t period_ms, std::size_t most_keys = 65536);

  // 0 when so much may go on, else the seconds after which it will; what is more than a bucket holds never may.
  // `steady_ms` never goes back.
  int take(const std::string& key, std::int64_t steady_ms, std::int64_t amount = 1);
  std::uint64_t refused() const { return refused_.load(std::memory_order_relaxed); }  // how often it was not 0

 private:
  struct Bucket {
    std::int64_t level = 0;  // one of the amount is a period's worth of milliseconds: whole numbers all through
    std::int64_t filled_at = 0;
  };
  std::int64_t level_at(const Bucket& bucket, std::int64_t steady_ms) const;
  Bucket& bucket_of(const std::string& key, std::int64_t steady_ms);

  const std::int64_t amount_, period_ms_, capacity_;
  const std::size_t most_keys_;
  std::atomic<std::uint64_t> refused_ = 0;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

}  // namespace callisto
