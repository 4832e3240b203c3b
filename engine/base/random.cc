#include "engine/base/random.h"

#include "engine/base/log.h"

#include <openssl/rand.h>

#include <cstdlib>

namespace callisto {

std::string SystemRandom::bytes(std::size_t count) {
  std::string out(count, '\0');
  if (RAND_bytes(reinterpret_cast<unsigned char*>(out.data()), static_cast<int>(count)) != 1) {
    log::error("The system gives no random bytes.");
    std::abort();  // no caller could go on safely: tokens would be guessable
  }
  return out;
}

std::string make_guid(Random& random) {
  std::string bytes = random.bytes(16);
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x40);  // version 4
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);  // variant of RFC 9562
  constexpr char kDigits[] = "0123456789abcdef";
  std::string guid;
  guid.reserve(36);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) guid += '-';
    const auto byte = static_cast<unsigned char>(bytes[i]);
    guid += kDigits[byte >> 4];
    guid += kDigits[byte & 0x0F];
  }
  return guid;
}

}  // namespace callisto
