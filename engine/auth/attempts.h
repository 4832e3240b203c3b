// How often one address may try to sign in: token buckets (engine/base/token_buckets.h). Any thread.
#pragma once

#include "engine/base/token_buckets.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace callisto::auth {

// What counts as one address: an IPv6 subscriber holds a whole /64, and ::ffff:a.b.c.d is a.b.c.d.
std::string address_group(const std::string& address);

class AttemptLimiter {
 public:
  explicit AttemptLimiter(int per_minute, std::size_t most_addresses = 65536)  // 0 per minute: unlimited
      : buckets_(per_minute, 60'000, most_addresses) {}

  // 0 when the attempt may go on, else the seconds after which one will. `steady_ms` never goes back.
  int take(const std::string& address, std::int64_t steady_ms) {
    return buckets_.take(address_group(address), steady_ms);
  }
  std::uint64_t refused() const { return buckets_.refused(); }

 private:
  TokenBuckets buckets_;
};

}  // namespace callisto::auth
