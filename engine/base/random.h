// Random bytes, injected so that tests can repeat a run. Any thread.
#pragma once

#include <cstddef>
#include <string>

namespace callisto {

class Random {
 public:
  virtual ~Random() = default;
  virtual std::string bytes(std::size_t count) = 0;
};

// The operating system's randomness through OpenSSL, drawn in advance for each thread; ends the program rather than
// give predictable bytes.
class SystemRandom final : public Random {
 public:
  std::string bytes(std::size_t count) override;
};

std::string make_guid(Random& random);  // RFC 9562 version 4, lower case

}  // namespace callisto
