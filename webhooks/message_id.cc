#include "webhooks/message_id.h"

#include <cstdint>

namespace callisto::webhooks {

// ULID: 48 bits of milliseconds and 80 random ones, in 26 digits of Crockford's base 32, the highest first.
std::string message_id(DateTime now, Random& random) {
  constexpr char digits[] = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
  constexpr std::size_t time_digits = 10, random_bytes = 10;
  std::string id = "msg_";
  for (std::size_t i = time_digits; i-- > 0;) id += digits[static_cast<std::uint64_t>(now.ms) >> (5 * i) & 31];
  unsigned bits = 0, count = 0;
  for (const char byte : random.bytes(random_bytes)) {
    bits = (bits << 8 | static_cast<unsigned char>(byte)) & 0xFFFF;
    for (count += 8; count >= 5; count -= 5) id += digits[bits >> (count - 5) & 31];
  }
  return id;
}

}  // namespace callisto::webhooks
