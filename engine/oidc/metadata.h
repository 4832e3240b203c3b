// What a provider says about itself (OpenID Connect Discovery 1.0 section 4, RFC 8414): where its endpoints are and
// what they offer. Errors name the member to fix. Pure; any thread.
#pragma once

#include "engine/base/result.h"

#include <string>

namespace callisto::oidc {

enum class SecretTransport { Basic, Post, None };  // how the token endpoint takes a client's secret, the best first

struct Metadata {
  std::string authorization_endpoint, token_endpoint, jwks_uri;
  std::string userinfo_endpoint;  // empty: none that may be asked
  SecretTransport secret_transport = SecretTransport::Basic;
  bool names_issuer = false;  // its authorization responses carry `iss` (RFC 9207)
};

// Https, or http on a loopback address; no query and no fragment.
Result<void> check_issuer(const std::string& issuer);
std::string metadata_url(const std::string& issuer);
Result<Metadata> read_metadata(const std::string& document, const std::string& issuer);

}  // namespace callisto::oidc
