// AES-256-GCM: texts that only the holder of the key can read or make. Pure except for the random bytes; any thread.
#pragma once

#include "engine/base/random.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callisto {

inline constexpr std::size_t aes_gcm_key_bytes = 32;
inline constexpr std::size_t aes_gcm_extra_bytes = 12 + 16;  // IV and tag

// IV, text and tag. `bound_to` is authenticated with it and must be the same at both ends.
std::string aes_gcm_seal(const std::string& key, std::string_view plain, std::string_view bound_to, Random& random);
// Nothing unless aes_gcm_seal made it with this key and for `bound_to`.
std::optional<std::string> aes_gcm_open(const std::string& key, std::string_view sealed, std::string_view bound_to);

}  // namespace callisto
