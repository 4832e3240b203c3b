#include "engine/api/rates.h"

#include <chrono>
#include <string>

namespace callisto::api {

namespace {

constexpr std::int64_t hour_ms = 3600 * 1000;

std::string who(const auth::Session& session) {
  return session.person ? "person " + std::to_string(*session.person) : "client " + session.client_id;
}

std::int64_t steady_ms() {
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

// Whole numbers of bytes and milliseconds would be too large.
std::int64_t kib(std::int64_t bytes) { return (bytes + 1023) / 1024; }

}  // namespace

Rates::Rates(std::int64_t upload_bytes_per_day, std::int64_t repeat_keys_per_hour)
    : uploads_(kib(upload_bytes_per_day), 24 * hour_ms), repeat_keys_(repeat_keys_per_hour, hour_ms) {}

Result<void> Rates::take_upload(const auth::Session& session, std::size_t bytes) {
  const int wait = uploads_.take(who(session), steady_ms(), kib(static_cast<std::int64_t>(bytes)));
  if (wait == 0) return {};
  return too_many_requests("You have sent as many bytes of files as one person may in a day (setting limits.uploads).",
                           wait);
}

Result<void> Rates::take_repeat_key(const auth::Session& session) {
  const int wait = repeat_keys_.take(who(session), steady_ms());
  if (wait == 0) return {};
  return too_many_requests(
      "You have sent as many requests with an Idempotency-Key as one person may in an hour (setting "
      "limits.repeat_keys).",
      wait);
}

}  // namespace callisto::api
