// Random bytes, injected so that tests can repeat a run. Any thread.
#pragma once

#include "engine/base/value.h"

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

// RFC 9562 version 7, lower case: those of one time stand beside each other in an index, where a random one changes
// any page of it.
std::string make_guid(Random& random, DateTime now);

}  // namespace callisto
