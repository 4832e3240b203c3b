// Rates: how much one person, or one program that signed in for itself, may store within a span of time. Kept in
// memory, so a restart begins anew, and each node counts for itself. Any thread.
#pragma once

#include "engine/auth/session.h"
#include "engine/base/result.h"
#include "engine/base/token_buckets.h"

#include <cstddef>
#include <cstdint>

namespace callisto::api {

class Rates {
 public:
  // 0: unlimited.
  Rates(std::int64_t upload_bytes_per_day, std::int64_t repeat_keys_per_hour);

  // 429 with Retry-After where it would be more.
  Result<void> take_upload(const auth::Session& session, std::size_t bytes);
  Result<void> take_repeat_key(const auth::Session& session);

  std::uint64_t uploads_refused() const { return uploads_.refused(); }
  std::uint64_t repeat_keys_refused() const { return repeat_keys_.refused(); }

 private:
  TokenBuckets uploads_, repeat_keys_;
};

}  // namespace callisto::api
