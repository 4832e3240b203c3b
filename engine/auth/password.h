// Password hashes (API rule 6.3): scrypt by OpenSSL, kept as `$scrypt$ln=14,r=8,p=5$salt$hash` (PHC string format,
// base64 without padding), so that each hash says how it was made. Hasher bounds the work: at most one hash for each
// core at a time, a short queue, then refusal. All of it safe from any thread; a hash takes about 250 ms and 16 MiB on
// purpose.
#pragma once

#include "engine/auth/token.h"
#include "engine/base/random.h"

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace callisto::auth {

struct ScryptCost {
  unsigned log2_n = 14;
  unsigned r = 8;
  unsigned p = 5;
  bool operator==(const ScryptCost&) const = default;
};

// RFC 7914; nothing where OpenSSL refuses the parameters.
std::optional<std::string> scrypt(std::string_view password, std::string_view salt, const ScryptCost& cost,
                                  std::size_t length);

struct PasswordHash {
  ScryptCost cost;
  std::string salt, hash;

  // Of NFC, as RFC 8265 4.2.2 has passwords: "Normalization Form C (NFC) MUST be applied to all strings".
  static PasswordHash make(std::string_view password, const ScryptCost& cost, Random& random);
  // Nothing where the text is no scrypt hash or asks for more work than any that this program makes.
  static std::optional<PasswordHash> parse(std::string_view text);
  std::string text() const;
  bool verify(std::string_view password) const;  // also as it came: older hashes were made of that
};

class Hasher {
 public:
  static constexpr std::size_t queue_limit = 64;

  // `at_once` hashes run side by side. `random` is shared with the rest of the program and outlives this.
  Hasher(ScryptCost cost, unsigned at_once, Random& random);

  // Nothing when the queue is full. A text that is no hash is verified against a dummy of the usual cost and never
  // matches: an unknown name takes as long as a wrong password.
  std::optional<bool> verify(std::string_view password, std::string_view hash_text);
  // A new hash; nothing when the queue is full.
  std::optional<PasswordHash> make(std::string_view password);
  // For secrets that programs send again and again: whether that one was right before, without hashing. The memory of
  // it is a digest under a key of this process, and goes with the hash.
  bool remembers(std::string_view secret, std::string_view hash_text);
  void remember(std::string_view secret, std::string_view hash_text);
  // The hash to keep from now on where `hash_text` was made at another cost, else nothing.
  std::optional<std::string> rehash(std::string_view password, std::string_view hash_text);

 private:
  static constexpr std::size_t most_remembered = 4096;
  class Turn;
  Digest memory_of(std::string_view secret, std::string_view hash_text) const;

  const ScryptCost cost_;
  Random& random_;
  const PasswordHash dummy_;
  std::mutex mutex_;
  std::condition_variable turn_ended_;
  unsigned free_;
  std::size_t waiting_ = 0;
  const std::string memory_key_;
  std::mutex memory_mutex_;
  std::set<Digest> verified_cache_;
};

}  // namespace callisto::auth
