// The keys a provider signs with (RFC 7517, 7518): RSA from 2048 bits for RS256, P-256 for ES256, read into OpenSSL.
// Keys are immutable and shared; any thread.
#pragma once

#include "engine/base/result.h"

#include <openssl/types.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace callisto::oidc {

enum class Algorithm { RS256, ES256 };
const char* name(Algorithm algorithm);

struct Key {
  std::string id;  // `kid`
  Algorithm algorithm = Algorithm::RS256;
  std::shared_ptr<EVP_PKEY> key;  // null: unusable, and why
  std::string flaw;
};

using KeySet = std::vector<Key>;

// Passes over keys without `kid`, of other types, or meant for other uses or algorithms (RFC 7517 section 5:
// "Implementations SHOULD ignore JWKs within a JWK Set that use ... values that are not understood by them").
Result<KeySet> read_keys(const std::string& document);

const Key* find_key(const KeySet& keys, std::string_view id, Algorithm algorithm);

}  // namespace callisto::oidc
