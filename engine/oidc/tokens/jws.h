// A signed token: JSON Web Signature, compact form (RFC 7515), with one of the algorithms of algorithms.h and no other.
// The header's own keys and links (jwk, jku, x5c, x5u) are never used. Pure; any thread.
#pragma once

#include "engine/base/result.h"
#include "engine/json/read.h"
#include "engine/oidc/tokens/keys.h"

#include <string>
#include <string_view>

namespace callisto::oidc {

struct Jws {
  Algorithm algorithm = Algorithm::RS256;
  std::string key_id;
  std::string signed_part;  // header and payload as they were sent
  std::string signature;    // bytes
  json::Node claims;        // an object; worth nothing before verify
};

Result<Jws> read_jws(std::string_view token);
Result<void> verify(const Jws& token, const Key& key);

}  // namespace callisto::oidc
