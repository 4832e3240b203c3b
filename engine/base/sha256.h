// SHA-256 (FIPS 180-4) of a whole text. Any thread.
#pragma once

#include <array>
#include <string_view>

namespace callisto {

using Sha256 = std::array<unsigned char, 32>;

Sha256 sha256(std::string_view bytes);

// The digest's bytes; lives no longer than the digest.
inline std::string_view view(const Sha256& digest) {
  return {reinterpret_cast<const char*>(digest.data()), digest.size()};
}

}  // namespace callisto
