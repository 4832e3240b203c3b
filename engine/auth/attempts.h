// Against guessing (decisions.md 6.3): AttemptLimiter is a token bucket of sign-in attempts for each address;
// KnownAddresses keeps a person in whose account strangers have locked. In memory and bounded; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

namespace callisto::auth {

class AttemptLimiter {
 public:
  explicit AttemptLimiter(int per_minute, std::size_t most_addresses = 65536);  // 0 per minute: unlimited

  // 0 when the attempt may go on, else the seconds after which one will. `steady_ms` never goes back.
  int take(const std::string& address, std::int64_t steady_ms);

 private:
  struct Bucket {
    std::int64_t level = 0;  // one attempt is a minute's worth of milliseconds: whole numbers all through
    std::int64_t filled_at = 0;
  };
  std::int64_t level_at(const Bucket& bucket, std::int64_t steady_ms) const;
  Bucket& bucket_of(const std::string& address, std::int64_t steady_ms);

  const std::int64_t per_minute_;
  const std::int64_t capacity_;
  const std::size_t most_addresses_;
  std::mutex mutex_;
  std::unordered_map<std::string, Bucket> buckets_;
};

// From where each person signed in lately, without a wrong guess since: the lock of the account does not hold there, so
// nobody can lock somebody else out.
class KnownAddresses {
 public:
  explicit KnownAddresses(std::size_t most = 65536) : most_(most) {}

  void add(std::int64_t person, const std::string& address, std::int64_t steady_ms);
  void remove(std::int64_t person, const std::string& address);
  bool knows(std::int64_t person, const std::string& address, std::int64_t steady_ms);

 private:
  const std::size_t most_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::int64_t> since_;
};

// What counts as one address: an IPv6 subscriber holds a whole /64, and ::ffff:a.b.c.d is a.b.c.d.
std::string address_group(const std::string& address);

}  // namespace callisto::auth
