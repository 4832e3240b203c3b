// Sealer: secrets that must be read again (unlike passwords), encrypted with AES-256-GCM under one key, so that the
// database alone does not reveal them. A sealed text is "sealed:" and base64url of IV, text and tag. Immutable; any
// thread.
#pragma once

#include "engine/base/aes_gcm.h"
#include "engine/base/random.h"
#include "engine/base/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace callisto {

class Sealer {
 public:
  // aes_gcm_key_bytes of them.
  explicit Sealer(std::string key) : key_(std::move(key)) {}
  // The key of a file of 64 hex digits; made, readable by the owner alone, where it is missing. The error, for the
  // operator, names the file.
  static Result<Sealer> from_file(const std::string& path, Random& random);

  std::string seal(std::string_view plain, Random& random) const;
  // Nothing unless seal() made it with this key.
  std::optional<std::string> open(std::string_view sealed) const;
  // A key of as many bytes for another purpose, which tells nothing of this one; for each purpose its own name.
  std::string key_for(std::string_view purpose) const;
  std::string fingerprint() const;  // 16 hex digits that tell keys apart and nothing more
  static bool is_sealed(std::string_view text) { return text.starts_with("sealed:"); }

 private:
  std::string key_;
};

}  // namespace callisto
