// The keys a provider signs with (RFC 7517, 7518, 8037): RSA from 2048 bits, P-256, P-384, P-521 and Ed25519, read into
// OpenSSL. Keys are immutable and shared; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/oidc/tokens/algorithms.h"

#include <openssl/types.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::oidc {

struct Key {
  std::string id;  // `kid`
  KeyType type = KeyType::RSA;
  std::optional<Algorithm> only;  // `alg`; nothing: for each algorithm of its type
  std::shared_ptr<EVP_PKEY> key;  // null: unusable, and why
  std::string flaw;
};

using KeySet = std::vector<Key>;

bool serves(const Key& key, Algorithm algorithm);

// Passes over keys without `kid`, of other types, or meant for other uses or algorithms (RFC 7517 section 5:
// "Implementations SHOULD ignore JWKs within a JWK Set that use ... values that are not understood by them").
Result<KeySet> read_keys(const std::string& document);

const Key* find_key(const KeySet& keys, std::string_view id, Algorithm algorithm);

}  // namespace callisto::oidc
