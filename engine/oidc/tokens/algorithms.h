// The algorithms that tokens may be signed with (RFC 7518 3.1, RFC 8037 3.1), all of them with keys of two halves:
// "none" and the HMACs, for which a public key could pass as the secret, are not among them. Constants; any thread.
#pragma once

#include <openssl/types.h>

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace callisto::oidc {

enum class KeyType { RSA, P256, P384, P521, Ed25519 };

enum class Algorithm { RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA };

struct AlgorithmFacts {
  Algorithm algorithm;
  const char* name;
  KeyType key;
  const EVP_MD* (*digest)();  // null: the algorithm has its own (RFC 8032)
  bool is_pss;                // RFC 7518 3.5
  std::size_t half_bytes;     // of r and of s (RFC 7518 3.4); 0: the signature is no pair of numbers
};

const AlgorithmFacts& facts_of(Algorithm algorithm);
const char* name(Algorithm algorithm);
std::optional<Algorithm> algorithm_of(std::string_view name);
const std::string& algorithm_names();  // "RS256, RS384, ...", for messages

// OpenID Connect Core 3.1.3.6: the hash of `at_hash`, "the left-most half" of it, in base64url. EdDSA hashes with
// SHA-512 (RFC 8032 5.1).
std::string half_hash(Algorithm algorithm, std::string_view text);

}  // namespace callisto::oidc
