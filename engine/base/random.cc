#include "engine/base/random.h"

#include "engine/base/hex.h"

#include <openssl/crypto.h>
#include <openssl/rand.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace callisto {

namespace {

// No caller could go on safely: tokens would be guessable. What OpenSSL lacks is memory, so that none is asked for
// here.
[[noreturn]] void give_up() {
  rlimit limit{};
  getrlimit(RLIMIT_AS, &limit);
  char text[200] = {};
  constexpr const char* lacking = "callisto: there are no random bytes, most likely for want of memory";
  if (limit.rlim_cur == RLIM_INFINITY) std::snprintf(text, sizeof text, "%s\n", lacking);
  else
    std::snprintf(text, sizeof text, "%s; `ulimit -v` (LimitAS) is %llu KiB\n", lacking,
                  static_cast<unsigned long long>(limit.rlim_cur) / 1024);
  (void)!write(STDERR_FILENO, text, std::strlen(text));
  std::_Exit(1);
}

void fill(unsigned char* bytes, std::size_t count) {
  if (RAND_bytes(bytes, static_cast<int>(count)) != 1) give_up();
}

// OpenSSL takes as long for one GUID as for many. What was given away is wiped. The program never forks: a child would
// give the same bytes.
class Supply {
 public:
  void take(char* out, std::size_t count) {
    if (left_ < count) {
      fill(bytes_, sizeof bytes_);
      left_ = sizeof bytes_;
    }
    left_ -= count;
    std::memcpy(out, bytes_ + left_, count);
    OPENSSL_cleanse(bytes_ + left_, count);
  }
  ~Supply() { OPENSSL_cleanse(bytes_, sizeof bytes_); }

 private:
  unsigned char bytes_[512];
  std::size_t left_ = 0;
};

constexpr std::size_t most_of_supply = 64;

}  // namespace

std::string SystemRandom::bytes(std::size_t count) {
  thread_local Supply supply;
  std::string out(count, '\0');
  if (count <= most_of_supply) supply.take(out.data(), count);
  else fill(reinterpret_cast<unsigned char*>(out.data()), count);
  return out;
}

std::string make_guid(Random& random, DateTime now) {
  std::string bytes = random.bytes(16);
  for (std::size_t i = 0; i < 6; ++i) bytes[i] = static_cast<char>(now.ms >> (40 - 8 * i));
  bytes[6] = static_cast<char>((bytes[6] & 0x0F) | 0x70);  // version 7
  bytes[8] = static_cast<char>((bytes[8] & 0x3F) | 0x80);  // variant of RFC 9562
  std::string guid = hex(bytes);
  for (const std::size_t at : {8U, 13U, 18U, 23U}) guid.insert(at, 1, '-');
  return guid;
}

}  // namespace callisto
