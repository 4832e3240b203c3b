#include "webhooks/message_id.h"

#include <cstdint>

namespace callisto::webhooks {

namespace {

constexpr std::string_view digits = "0123456789ABCDEFGHJKMNPQRSTVWXYZ", prefix = "msg_";
constexpr std::size_t time_digits = 10, random_bytes = 10;

}  // namespace

// ULID: 48 bits of milliseconds and 80 random ones, in 26 digits of Crockford's base 32, the highest first.
std::string message_id(DateTime now, Random& random) {
  std::string id(prefix);
  for (std::size_t i = time_digits; i-- > 0;) id += digits[static_cast<std::uint64_t>(now.ms) >> (5 * i) & 31];
  unsigned bits = 0, count = 0;
  for (const char byte : random.bytes(random_bytes)) {
    bits = (bits << 8 | static_cast<unsigned char>(byte)) & 0xFFFF;
    for (count += 8; count >= 5; count -= 5) id += digits[bits >> (count - 5) & 31];
  }
  return id;
}

DateTime time_of_message(std::string_view id) {
  if (!id.starts_with(prefix) || id.size() < prefix.size() + time_digits) return {};
  DateTime time;
  for (const char digit : id.substr(prefix.size(), time_digits)) {
    const std::size_t value = digits.find(digit);
    if (value == digits.npos) return {};
    time.ms = time.ms << 5 | static_cast<std::int64_t>(value);
  }
  return time;
}

}  // namespace callisto::webhooks
